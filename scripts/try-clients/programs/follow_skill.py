"""The protocol's own Python library follows a skill, and is told by push how its job goes on, also after the service was away. Each line that
it prints is what it was told."""
import asyncio
import json
import os
import re

import httpx2
from mcp import Client
from mcp.client.extension import ClientExtension, NotificationBinding
from mcp.client.streamable_http import streamable_http_client
from mcp_types import NotificationParams, Request, Result, SubscriptionsListenRequest
from pydantic import ConfigDict

URL, KEY = os.environ["TRY_URL"], os.environ["TRY_KEY"]
PICTURE = {"modality": "image", "model_slug": "picture", "prompt": "held"}
ARGUMENTS = {
    "list_models": {"modality": "image"},
    "estimate_generation": PICTURE,
    "get_credits": {},
    "connect_generate": {**PICTURE, "max_credits": 10, "idempotency_key": "the-skill"},
}


class Open(Result):
    model_config = ConfigDict(extra="allow")


class Told(NotificationParams):
    model_config = ConfigDict(extra="allow")


class Tasks(ClientExtension):
    identifier = "io.modelcontextprotocol/tasks"

    def __init__(self):
        self.last, self.ended = 0, False

    def notifications(self):
        return [NotificationBinding(method="notifications/tasks", params_type=Told, handler=self.hear)]

    async def hear(self, told):
        task = told.model_dump(by_alias=True)
        self.last, self.ended = task["_meta"]["atelier/event"], task["status"] != "working"
        print(json.dumps({"number": self.last, "status": task["status"], "result": task.get("result")}), flush=True)


def connect(*extensions):
    http_client = httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, timeout=None)
    return Client(streamable_http_client(URL, http_client=http_client), extensions=extensions)


async def follow_skill():
    async with connect() as client:
        listed = await client.session.send_request(Request(method="skills/list", params={}), Open)
        skill = next(s for s in listed.model_dump()["skills"] if s["frontmatter"]["name"] == "make-a-picture")
        text = (await client.read_resource(skill["uri"])).contents[0].text
        for name in dict.fromkeys(re.findall("`([a-z_]+)`", text)):
            if name in ARGUMENTS:
                result = await client.call_tool(name, ARGUMENTS[name])
                assert not result.is_error, result
        return result.structured_content["job_id"]


async def listen(job_id, tasks):
    filter = {"taskIds": [job_id], "atelier/after": {job_id: tasks.last}}
    async with connect(tasks) as client:
        request = SubscriptionsListenRequest.model_validate({"params": {"notifications": filter}})
        await client.session.send_request(request, Open)


async def main():
    job_id = await follow_skill()
    print(json.dumps({"job": job_id}), flush=True)
    tasks = Tasks()
    while not tasks.ended:
        try:
            await listen(job_id, tasks)
        except* Exception:
            await asyncio.sleep(0.1)


asyncio.run(main())
