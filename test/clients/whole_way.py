"""Everything that the Python client does, against a service that runs. test/clients/python.test.ts starts it, and cuts the way meanwhile."""

import base64
import json
import os
import time
import unittest

from atelier_client import Atelier, AtelierError, AtelierJobError, AtelierWorkflowError, check_ledger, verify_log_proof, verify_receipt, verify_solvency_proof

URL, SHAKY, RESTARTED = os.environ["ATELIER_URL"], os.environ["ATELIER_SHAKY_URL"], os.environ["ATELIER_RESTARTED_URL"]
KEY, STRANGER = os.environ["ATELIER_KEY"], os.environ["ATELIER_STRANGER"]
ISSUER = os.environ["ATELIER_ISSUER"]

atelier = Atelier(base_url=URL, api_key=KEY)


class WholeWay(unittest.TestCase):
    def refusal(self, call, *args, **named):
        with self.assertRaises(AtelierError) as caught:
            call(*args, **named)
        return caught.exception

    def test_1_wait_survives_a_cut(self):
        shaky = Atelier(base_url=SHAKY, api_key=KEY)
        metadata = {"order": "python-cut"}
        job = shaky.generate_and_wait(model="picture", prompt="held through a cut", metadata=metadata)
        self.assertEqual(job["state"], "completed")
        self.assertEqual(len(list(atelier.jobs(metadata=metadata))), 1)

    def test_2_events_go_on_after_a_cut(self):
        shaky = Atelier(base_url=SHAKY, api_key=KEY)
        job_id = shaky.generate(model="picture", prompt="held while events are told")["job_id"]
        seen = [event["seq"] for event in shaky.events(job_id)]
        self.assertEqual(seen, [event["seq"] for event in atelier.job(job_id)["events"]])
        self.assertEqual(list(atelier.events(job_id, after=seen[-1])), [])

    def test_3_wait_survives_a_restart(self):
        restarted = Atelier(base_url=RESTARTED, api_key=KEY)
        job = restarted.generate_and_wait(model="picture", prompt="held through a restart")
        self.assertEqual(job["state"], "completed")

    def test_4_files_prices_and_lists(self):
        told = []
        order = {"order": "python"}
        job = atelier.generate_and_wait(model="picture", prompt="a lamp", metadata=order, on_event=told.append)
        self.assertEqual([event["type"] for event in told], ["reserved", "debited", "running", "completed"])
        self.assertEqual(atelier.download(job["outputs"][0]), b"made for a test")
        for _ in range(4):
            atelier.generate(model="picture", prompt="a lamp", metadata=order)
        self.assertEqual(len({job["job_id"] for job in atelier.jobs(limit=2, metadata=order)}), 5)
        self.assertEqual(atelier.estimate(model="picture", prompt="a lamp", params={"count": 2})["credits"], 20)
        with open("photo.png", "rb") as file:
            self.assertEqual(atelier.upload(file)["kind"], "image")
        with open("photo.png", "rb") as file:
            verified = Atelier(base_url=URL).verify_file(file)
        self.assertEqual((verified["state"], verified["record"]["made"]), ("none", False))
        self.assertIn("tune", [model["model_slug"] for model in atelier.models(modality="audio")])
        self.assertEqual(list(atelier.products(search="nothing has this name")), [])
        self.assertEqual(atelier.me()["plan"]["plan"], "studio")
        self.assertIn("studio", [plan["plan"] for plan in atelier.plans()])

    def test_5_refusals(self):
        wrong = self.refusal(atelier.generate, model="picture", prompt="a lamp", params={"count": 9})
        self.assertEqual((wrong.code, wrong.status, wrong.issues[0]["path"]), ("invalid_request", 400, "params.count"))
        self.assertRegex(wrong.request_id or "", "^req_")
        stranger = Atelier(base_url=URL, api_key=STRANGER)
        self.assertEqual(self.refusal(stranger.me).code, "invalid_key")
        lost = Atelier(base_url="http://127.0.0.1:1", retry_for_seconds=0)
        self.assertEqual(self.refusal(lost.plans).code, "connection_failed")
        job_id = atelier.generate(model="picture", prompt="held to cancel")["job_id"]
        late = self.refusal(atelier.wait, job_id, timeout_seconds=0.001)
        self.assertEqual((late.code, late.job_id), ("wait_timeout", job_id))
        self.assertIn(atelier.cancel(job_id)["state"], ("cancelling", "cancelled"))
        cancelled = self.refusal(atelier.wait, job_id)
        self.assertIsInstance(cancelled, AtelierJobError)
        self.assertEqual((cancelled.code, cancelled.job["credits_charged"]), ("job_cancelled", 0))
        refused = self.refusal(atelier.generate, model="picture", prompt="held", expires_in=0, keep_days=0)
        self.assertEqual([issue["path"] for issue in refused.issues], ["expires_in", "keep_days"])
        failed = self.refusal(atelier.generate_and_wait, model="picture", prompt="held to fail")
        self.assertEqual((failed.code, failed.message), ("job_failed", "Nobody can make this."))

    def test_6_workflows(self):
        def steps(name):
            ink = {"id": "ink", "model": "atelier-restyle", "prompt": f"{name} ink", "params": {"image": "step:drawing"}}
            return [{"id": "drawing", "model": "picture", "prompt": f"{name} drawing"}, ink]

        done = atelier.run_workflow_and_wait(steps=steps("a quick"), metadata={"order": "python"}, max_credits=13)
        self.assertEqual((done["state"], done["credits_charged"]), ("completed", 13))
        self.assertIn(done["workflow_id"], [one["workflow_id"] for one in atelier.workflows(limit=1)])
        self.assertEqual(atelier.job(done["steps"][1]["job_id"])["workflow_id"], done["workflow_id"])
        workflow_id = atelier.run_workflow(steps=steps("held to call off"))["workflow_id"]
        late = self.refusal(atelier.wait_for_workflow, workflow_id, timeout_seconds=0.001)
        self.assertEqual((late.code, late.workflow_id), ("wait_timeout", workflow_id))
        self.assertIn(atelier.cancel_workflow(workflow_id)["state"], ("cancelling", "cancelled"))
        cancelled = self.refusal(atelier.wait_for_workflow, workflow_id)
        self.assertIsInstance(cancelled, AtelierWorkflowError)
        self.assertEqual((cancelled.code, cancelled.workflow["credits_charged"]), ("workflow_cancelled", 0))
        circle = [{**step, "after": ["ink"]} for step in steps("a circle")]
        self.assertEqual(self.refusal(atelier.run_workflow, steps=circle).code, "invalid_request")
        failed = self.refusal(atelier.run_workflow_and_wait, steps=steps("held to fail as a"))
        self.assertEqual(failed.code, "workflow_failed")
        self.assertEqual(failed.message, "The workflow failed at drawing: Nobody can make this.")

    def test_7_the_ledger_proves_itself(self):
        self.assertTrue(atelier.verify_ledger().ok)
        entries = list(atelier.ledger(limit=100))[::-1]
        changed = [{**entry, "memo": "nothing to see"} if entry["seq"] == 3 else entry for entry in entries]
        self.assertEqual(check_ledger(changed).broken_seq, 3)
        self.assertEqual(check_ledger(entries[:1] + entries[2:]).broken_seq, 2)

    def test_8_receipts_are_verified_and_forgeries_refused(self):
        job = atelier.generate_and_wait(model="picture", prompt="a receipt")
        receipt, keys = atelier.receipt(job["job_id"]), atelier.receipt_keys()
        said = verify_receipt(receipt, keys=keys, issuer=ISSUER)
        self.assertEqual(said["credits"]["captured"], job["credits_charged"])
        head, body, signature = receipt.split(".")

        def part(text, **change):
            told = {**json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))), **change}
            return base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")

        cases = [
            (f"{head}.{body}", "2 parts"),
            (f"?.{body}.{signature}", "not base64url"),
            (f"{body[4:]}.{body}.{signature}", "not a JSON object"),
            (f"{part(head, alg='none')}.{body}.{signature}", "algorithm is none"),
            (f"{part(head, typ='JWT')}.{body}.{signature}", "type is JWT"),
            (f"{part(head, crit=['b64'])}.{body}.{signature}", "critical headers"),
            (f"{part(head, kid='other')}.{body}.{signature}", "key other is none of the 1 keys"),
            (f"{head}.{part(body, state='failed')}.{signature}", "signature is not valid"),
            (f"{head}.{body}.", "signature is not valid"),
        ]
        for forged, message in cases:
            refused = self.refusal(verify_receipt, forged, keys=keys, issuer=ISSUER)
            self.assertEqual(refused.code, "receipt_refused")
            self.assertIn(message, refused.message)
        stranger = [{**keys[0], "x": base64.urlsafe_b64encode(bytes([9] * 32)).decode().rstrip("=")}]
        self.assertIn("signature", self.refusal(verify_receipt, receipt, keys=stranger, issuer=ISSUER).message)
        self.assertIn("issuer", self.refusal(verify_receipt, receipt, keys=keys, issuer="https://other.example").message)

    def test_9_the_ledger_is_in_the_public_log(self):
        for _ in range(300):
            if atelier.balance()["logged_seq"] is not None:
                break
            time.sleep(0.1)
        proof = atelier.log_proof()
        self.assertEqual(verify_log_proof(proof, keys=atelier.receipt_keys()).origin, proof["origin"])
        self.assertGreaterEqual(proof["seq"], 1)
        solvency = atelier.solvency_proof()
        if solvency is not None:
            statement, checkpoint = verify_solvency_proof(solvency, keys=atelier.receipt_keys())
            self.assertEqual(statement.origin, checkpoint.origin)


if __name__ == "__main__":
    unittest.main()
