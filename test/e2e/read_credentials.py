"""Reads the Content Credentials of files with c2pa-python, a build of the C2PA library that the service does not use.

Each line of standard input names a media type and a file. Each line of the answer has the state that the library reports and the codes
of what failed. The argument is a file with the authorities to trust.
"""

import json
import sys

import c2pa

SETTINGS = {"verify": {"remote_manifest_fetch": False, "ocsp_fetch": False}}


def read(context, mime_type, path):
    try:
        with open(path, "rb") as file, c2pa.Reader(mime_type, file, context=context) as reader:
            report = json.loads(reader.json())
    except c2pa.C2paError as error:
        return {"state": "refused", "failures": [str(error)]}
    failures = report["validation_results"]["activeManifest"].get("failure", [])
    manifest = report["manifests"][report["active_manifest"]]
    return {
        "state": report["validation_state"],
        "failures": [failure["code"] for failure in failures],
        "assertions": {one["label"]: one["data"] for one in manifest["assertions"]},
    }


with open(sys.argv[1], encoding="ascii") as anchors:
    trust = {"trust_anchors": anchors.read()}
trusting = c2pa.Context(settings=c2pa.Settings.from_dict({**SETTINGS, "trust": trust}))
for line in sys.stdin:
    mime_type, path = line.rstrip("\n").split(" ", 1)
    print(json.dumps(read(trusting, mime_type, path)), flush=True)
