import { expect, test } from "vitest";
import { preferenceFor } from "../../edge/http/accept.ts";
import { homeOrigins } from "../../edge/http/home-origins.ts";

const quality = (type: string, accept: string | undefined) => preferenceFor(type, accept).quality;

test("without a header every media type is accepted, and none is named", () => {
  for (const accept of [undefined, "", " "])
    expect(preferenceFor("application/json", accept)).toEqual({ quality: 1, isNamed: false });
});

test("the most specific range wins, in any position", () => {
  const accept = "*/*;q=0.1, text/*;q=0.5, text/html;q=0.7, application/json;q=0";
  expect(quality("text/html", accept)).toBe(0.7);
  expect(quality("text/plain", accept)).toBe(0.5);
  expect(quality("image/png", accept)).toBe(0.1);
  expect(quality("application/json", accept)).toBe(0);
});

test("an unaccepted type has no quality", () => {
  expect(preferenceFor("text/html", "application/json")).toEqual({ quality: 0, isNamed: false });
});

test("case, white space and other parameters are ignored, and an unreadable weight is 0", () => {
  expect(preferenceFor("text/html", " Text/HTML ; charset=utf-8 ; Q=0.25 ")).toEqual({
    quality: 0.25,
    isNamed: true,
  });
  for (const accept of ["text/html;q=", "text/html;q=high", "text/html;q=2"])
    expect(quality("text/html", accept)).toBe(1);
});

test("[ORI-40] in development localhost and 127.0.0.1 are one origin, and no other names are", () => {
  const both = ["http://localhost:8080", "http://127.0.0.1:8080"];
  expect(homeOrigins({ profile: "development" }, "http://localhost:8080")).toEqual(both);
  expect(homeOrigins({ profile: "development" }, "http://127.0.0.1:8080/x")).toEqual(both);
  expect(homeOrigins({ profile: "development" }, "https://shop.example")).toEqual(["https://shop.example"]);
  expect(homeOrigins({ profile: "production" }, "http://localhost:8080")).toEqual(["http://localhost:8080"]);
});
