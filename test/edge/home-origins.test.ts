import { expect, test } from "vitest";
import { homeOrigins } from "../../edge/http/home-origins.ts";

test("[ORI-40] in development localhost and 127.0.0.1 are one origin, and no other names are", () => {
  const both = ["http://localhost:8080", "http://127.0.0.1:8080"];
  expect(homeOrigins({ profile: "development" }, "http://localhost:8080")).toEqual(both);
  expect(homeOrigins({ profile: "development" }, "http://127.0.0.1:8080/x")).toEqual(both);
  expect(homeOrigins({ profile: "development" }, "https://shop.example")).toEqual(["https://shop.example"]);
  expect(homeOrigins({ profile: "production" }, "http://localhost:8080")).toEqual(["http://localhost:8080"]);
});
