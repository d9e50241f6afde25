// The same App on a separate connection, which reports every command.
import { type CommandStartedEvent, MongoClient } from "mongodb";
import type { TestApp } from "./app.ts";

/** `onCommand` is called at the start of each one. */
export async function watchCommands(
  { app, database }: Pick<TestApp, "app"> & { readonly database: { readonly name: string } },
  onCommand: (command: CommandStartedEvent) => void,
): Promise<{ app: TestApp["app"]; close(): Promise<void> }> {
  // As core connects.
  const client = new MongoClient(app.mongo.uri, {
    monitorCommands: true,
    readConcern: { level: "majority" },
    writeConcern: { w: "majority" },
  });
  client.on("commandStarted", onCommand);
  const mongo = { ...app.mongo, client, db: client.db(database.name) };
  return { app: { ...app, mongo }, close: () => client.close() };
}
