"""What atelier-verify says of an export, a receipt, a file and a checkpoint, and of each of them changed. test/clients/python.test.ts makes them."""

import base64
import contextlib
import hashlib
import io
import json
import unittest

from atelier_client.verify import main as verify

with open("fixture.json", encoding="utf-8") as fixture:
    FIXTURE = json.load(fixture)


class Verify(unittest.TestCase):
    def test_lies_are_told_apart(self):
        files = FIXTURE["files"]
        keys, export, note = files["keys"], files["export"], files["checkpoint"]
        proof, other = export["log_proof"], "ab" * 32

        def says(expected, **change):
            files = {**FIXTURE["files"], **change}
            arguments = ["--issuer", "https://api.example", "--file", "output"]
            with open("output", "w", encoding="utf-8") as file:
                file.write(files.pop("file"))
            for name, content in files.items():
                with open(f"verify-{name}", "w", encoding="utf-8") as file:
                    file.write(content if isinstance(content, str) else json.dumps(content))
                arguments += [f"--{name}", f"verify-{name}"]
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                code = verify(arguments)
            wrong = [line for line in printed.getvalue().splitlines() if line.startswith("WRONG")]
            if expected is None:
                self.assertEqual((code, wrong), (0, []), printed.getvalue())
                return printed.getvalue()
            self.assertEqual(code, 1, printed.getvalue())
            self.assertIn(expected, "\n".join(wrong))

        said = says(None)
        for words in (
            "3 ledger entries follow each other and add up to 90 credits",
            "ledger entry 3 of acc_1 is entry 3 of the 7 in the log api.example/log/1",
            "verify-checkpoint and the proof are of one history",
            "completed, 10 credits captured, 0 refunded",
            "the ledger charged job_1 as its receipt says",
            "output is an output of job_1",
            "not proven  that the service signed no other history",
        ):
            self.assertIn(words, said)
        self.assertIn("not proven  that the logs of 4 and 7 entries are one", says(None, checkpoint=FIXTURE["older"]))
        self.assertIn("not proven  that verify-checkpoint is of the same log", says(None, checkpoint=FIXTURE["other_log"]))
        unlogged = {"ledger": export["ledger"]}
        self.assertIn("not proven  that others see the same ledger", says(None, export=unlogged))

        def receipt_with(**change):
            head, body, signature = files["receipt"].split(".")
            told = {**json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4))), **change}
            head = base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")
            return f"{head}.{body}.{signature}"

        def ledger(change):
            return {**export, "ledger": change([dict(entry) for entry in export["ledger"]])}

        def proof_with(**change):
            return {**export, "log_proof": {**proof, **change}}

        def rewritten(entries):
            """The whole chain anew, with another memo in its first entry."""
            entries[-1]["memo"], previous = "rewritten", "0" * 64
            for entry in reversed(entries):
                del entry["hash"]
                entry["prev_hash"] = previous
                text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
                previous = entry["hash"] = hashlib.sha256(text.encode()).hexdigest()
            return entries

        stranger = base64.urlsafe_b64encode(bytes([9] * 32)).decode().rstrip("=")
        lines = note.split("\n")
        for expected, change in (
            ("entry 1 was changed", {"export": ledger(lambda all: all[:-1] + [{**all[-1], "amount": 1}])}),
            ("entry 2 was changed, or one is missing", {"export": ledger(lambda all: all[:-2] + all[-1:])}),
            ("is not the one that is entry", {"export": ledger(rewritten)}),
            ("does not lead to the root", {"export": proof_with(salt=other)}),
            ("does not lead to the root", {"export": proof_with(index=2)}),
            ("too short", {"export": proof_with(path=proof["path"][:-1])}),
            ("too long", {"export": proof_with(path=[*proof["path"], other, other])}),
            ("outside of the", {"export": proof_with(index=7)}),
            ("and the proof of elsewhere", {"export": proof_with(origin="elsewhere")}),
            ("not a signed note", {"checkpoint": "\n".join(lines[:3])}),
            ("signature of the checkpoint is not valid", {"checkpoint": note.replace(lines[2], "A" * 43 + "=", 1)}),
            ("None of the 1 keys", {"keys": {"keys": [{**keys["keys"][0], "x": stranger}]}}),
            ("signed a fork", {"checkpoint": FIXTURE["fork"]}),
            ("a receipt has 3", {"receipt": "none"}),
            ("algorithm is none", {"receipt": receipt_with(alg="none")}),
            ("critical headers", {"receipt": receipt_with(crit=["b64"])}),
            ("the ledger has no such entry 2", {"export": {"ledger": rewritten([dict(one) for one in export["ledger"]])}}),
            ("is an output of no valid receipt", {"file": "another file"}),
        ):
            with self.subTest(expected):
                says(expected, **change)


if __name__ == "__main__":
    unittest.main()
