import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signingHeaders } from "../../../../core/studio/webhooks/sign.ts";

const secret = `whsec_${Buffer.from("a secret of exactly thirty-two b").toString("base64")}`;
const older = `whsec_${Buffer.from("another one of thirty-two bytes!").toString("base64")}`;
const body = Buffer.from(JSON.stringify({ event: "job.completed", text: "grüße 🎨" }));
const at = new Date();
const message = { deliveryId: "dlv_1", event: "job.completed" as const, body, at };

const plain = (key: string) => `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
const verifies = (key: string, headers: Record<string, string>): boolean => {
  try {
    new Webhook(key).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe("a signed webhook", () => {
  test("[CALL-04] names its event and delivery", () => {
    expect(signingHeaders(message, { plain: secret, standard: [secret] })).toMatchObject({
      "x-service-event": "job.completed",
      "x-service-delivery": "dlv_1",
      "webhook-id": "dlv_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    });
  });

  test("[CALL-04] [CALL-07] is verified by a plain HMAC with the secret as shown, and by Standard Webhooks", () => {
    const headers = signingHeaders(message, { plain: secret, standard: [secret] });
    expect(headers["x-service-signature"]).toBe(plain(secret));
    expect(verifies(secret, headers)).toBe(true);
    expect(verifies(older, headers)).toBe(false);
    expect(() => new Webhook(secret).verify(Buffer.concat([body, Buffer.from(" ")]), headers)).toThrow(
      "No matching signature found",
    );
  });

  test("carries a signature of each given secret, and one where only one fits", () => {
    const headers = signingHeaders(message, { plain: older, standard: [secret, older] });
    expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(verifies(secret, headers)).toBe(true);
    expect(verifies(older, headers)).toBe(true);
    expect(headers["x-service-signature"]).toBe(plain(older));
  });
});
