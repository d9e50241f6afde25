"""What the programs of all Python clients share: where they go, and how they tell what they could do."""
import asyncio
import json
import os

URL = os.environ["TRY_URL"]
KEY = os.environ.get("TRY_KEY", "")
HEADERS = {"Authorization": f"Bearer {KEY}"} if KEY else {}
HAS_PROMPTS = os.environ["TRY_PROMPTS"] == "yes"

TOOL = "list_models"
RESOURCE = "atelier://docs/quickstart"
TEMPLATE = "atelier://docs/{chapter}"
PROMPT = "poster"
ARGUMENTS = {"subject": "a lighthouse"}
CHAPTER = {"name": "chapter", "value": "quick"}

# Words of the right response; lists are counted instead.
WORDS = {"called": "atelier-canvas", "read": "# Quickstart", "completed": "quickstart", "prompt": "a lighthouse"}


def probe(opened, calls_of, **more):
    """Prints one line: what the client could do with the calls that it has; a part that it does not have is left out."""

    async def main():
        async with opened as client:
            done = {name: of(client) for name, of in more.items()}
            for name, call in calls_of(client).items():
                if HAS_PROMPTS or not name.startswith("prompt"):
                    answer = await call()
                    done[name] = WORDS[name] in str(answer) if name in WORDS else len(getattr(answer, name, answer))
            print(json.dumps(done))

    asyncio.run(main())
