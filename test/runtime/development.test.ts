// Databases that development refuses to write.
import { expect, test } from "vitest";
import { checkConfig } from "../../runtime/config/config.ts";

const problemsOf = (env: Record<string, string>) =>
  checkConfig(env).problems.filter((problem) => problem.startsWith("MONGODB_URI"));

test.each([
  "mongodb://db.internal",
  "mongodb://10.0.0.1:27017/?replicaSet=rs",
  "mongodb://user:p@localhost@db.internal/",
  "mongodb://localhost.evil.example",
  "mongodb://127.0.0.1,db.internal:27017/atelier",
  "mongodb://localhost:27017,db",
  "mongodb+srv://cluster.example.net",
  "mongodb+srv://localhost.example.net/?x=localhost",
  "MONGODB://db.internal",
  "mongodb://[2001:db8::1]:27017",
  "mongodb://0.0.0.0",
])("development does not start with %s without an explicit setting", (uri) => {
  for (const NODE_ENV of ["", "development", "test"])
    expect(problemsOf({ NODE_ENV, MONGODB_URI: uri })).toEqual([
      "MONGODB_URI: not on this machine, and NODE_ENV is not production, so sample data would be written there. " +
        "Set NODE_ENV=production, or ATELIER_ALLOW_DEV=1 if it is a database for development",
    ]);
  expect(problemsOf({ MONGODB_URI: uri, ATELIER_ALLOW_DEV: "1" })).toEqual([]);
  expect(problemsOf({ MONGODB_URI: uri, NODE_ENV: "production" })).toEqual([]);
});

test.each([
  "mongodb://127.0.0.1:27027/?directConnection=true",
  "mongodb://localhost",
  "mongodb://user:p%40ss@localhost:1,127.0.0.2:2,[::1]:3/atelier?replicaSet=rs",
  "mongodb://%2Ftmp%2Fmongodb-27017.sock/atelier",
])("development starts with %s", (uri) => {
  expect(problemsOf({ MONGODB_URI: uri })).toEqual([]);
});
