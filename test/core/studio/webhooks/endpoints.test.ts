import { describe, expect, test } from "vitest";
import { createEndpoints, type Endpoints } from "../../../../core/studio/webhooks/endpoints.ts";

const QUICK_MS = 20;
const SLOW_MS = 10_000;

function create(): Endpoints {
  return createEndpoints({ total: 16, perEndpoint: 4 });
}

function start(receivers: Endpoints, host: string): number {
  let started = 0;
  while (receivers.freeFor(host) > 0) {
    receivers.started(host);
    started += 1;
  }
  return started;
}

function learn(receivers: Endpoints, host: string, durationMs: number): void {
  receivers.started(host);
  receivers.ended(host, durationMs);
}

describe("slots for attempts", () => {
  test("are one for an unknown endpoint, and the full number once it has answered quickly", () => {
    const receivers = create();
    expect(start(receivers, "a")).toBe(1);
    receivers.ended("a", QUICK_MS);
    expect(start(receivers, "a")).toBe(4);
  });

  test("are reserved for quick endpoints, for any number of unknown and slow ones", () => {
    const receivers = create();
    learn(receivers, "quick", QUICK_MS);
    for (let i = 0; i < 20; i++) learn(receivers, `slow${i}`, SLOW_MS);
    let slow = 0;
    for (let i = 0; i < 20; i++) slow += start(receivers, `slow${i}`);
    expect(slow).toBe(8);
    let unknown = 0;
    for (let i = 0; i < 20; i++) unknown += start(receivers, `unknown${i}`);
    expect(unknown).toBe(4);
    expect(receivers.wanted()).toEqual({ only: ["quick"] });
    expect(start(receivers, "quick")).toBe(4);
    expect(receivers.free()).toBe(0);
  });

  test("exclude endpoints at their limit from the next query", () => {
    const receivers = create();
    learn(receivers, "quick", QUICK_MS);
    start(receivers, "quick");
    receivers.started("unknown");
    expect(receivers.wanted()).toEqual({ without: ["quick", "unknown"] });
    receivers.ended("quick");
    expect(receivers.wanted()).toEqual({ without: ["unknown"] });
  });

  test("are unchanged by an attempt that was not made", () => {
    const receivers = create();
    receivers.started("a");
    receivers.ended("a");
    expect(receivers.free()).toBe(16);
    expect(start(receivers, "a")).toBe(1);
  });
});
