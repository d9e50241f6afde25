"""What the programs of all Python clients share: where they go, and how they tell what they could do."""
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


def tell(**done):
    """One line: what the client could do; a part it does not have is left out."""
    print(json.dumps(done))


def says(thing, words):
    """Whether what came back has these words anywhere."""
    return words in str(thing)
