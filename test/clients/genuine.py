"""What the Python client says of the callbacks that it is given as lines of JSON: one word each."""

import json
import sys

from atelier_client import AtelierError, verify_callback

for line in sys.stdin:
    given = json.loads(line)
    try:
        callback = verify_callback(secret=given["secret"], headers=given["headers"], body=given["body"])
        print("genuine" if callback == json.loads(given["body"]) else "misread")
    except AtelierError as error:
        print(error.code)
    except ValueError:
        print("no secret")
