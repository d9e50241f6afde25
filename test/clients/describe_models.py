"""The fields of each class of atelier_client.models, and whether they may be missing, as JSON."""

import inspect
import json

from atelier_client import models

classes = {name: one for name, one in vars(models).items() if inspect.isclass(one) and one.__module__ == models.__name__}
fields = {
    name: {field: "NotRequired" in str(kind) for field, kind in one.__annotations__.items()}
    for name, one in classes.items()
}
print(json.dumps(fields))
