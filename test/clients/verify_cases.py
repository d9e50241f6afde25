"""Runs atelier-verify for each case that test/clients/verify-cases.ts made."""

import contextlib
import io
import json
import re
import sys
import unittest

from atelier_client.verify import main as verify


class Verify(unittest.TestCase):
    def test_each_case(self):
        with open("cases.json", encoding="utf-8") as cases:
            for case in json.load(cases):
                with self.subTest(case["wrong"]):
                    printed = io.StringIO()
                    with contextlib.redirect_stdout(printed):
                        code = verify(case["arguments"])
                    said = printed.getvalue()
                    wrong = [line for line in said.splitlines() if line.startswith("WRONG")]
                    self.assertEqual((code, wrong != []), (1, True) if case["wrong"] else (0, False), said)
                    self.assertRegex("\n".join(wrong), re.compile(case["wrong"] or "^$", re.IGNORECASE))
                    for words in case["says"]:
                        self.assertIn(words, said)


if __name__ == "__main__":
    unittest.main()
