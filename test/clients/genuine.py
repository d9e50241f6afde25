"""What the Python client says of the callbacks that it is given as lines of JSON: one word each."""

import json
import sys

from atelier_client import AtelierError, verify_callback, verify_event

for line in sys.stdin:
    given = json.loads(line)
    try:
        verify = verify_event if "account_id" in given else verify_callback
        callback = verify(**given)
        print("genuine" if callback == json.loads(given["body"]) else "misread")
    except AtelierError as error:
        print(error.code)
    except ValueError:
        print("no secret")
