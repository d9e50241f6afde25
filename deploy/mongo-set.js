// Run by mongosh beside the first member: makes the replica set of MONGO_HOSTS and its user once. An election after 2 s without a primary instead
// of 10, and ten heartbeats a second: docs/reliability.md has the figures with and without.
const members = (process.env.MONGO_HOSTS || "mongo1,mongo2,mongo3")
  .split(",")
  .map((host, _id) => ({ _id, host: host.includes(":") ? host : `${host}:27017` }));
try {
  rs.initiate({
    _id: "atelier",
    members,
    settings: { electionTimeoutMillis: 2000, heartbeatIntervalMillis: 100 },
  });
} catch (error) {
  // Made before; who is not signed in may not even ask.
  if (!/already initialized|requires authentication/.test(error.message)) throw error;
  print("the replica set is there already");
  quit(0);
}
while (!db.hello().isWritablePrimary) sleep(200);
const password = require("node:fs").readFileSync(process.env.PASSWORD_FILE, "utf8");
const admin = db.getSiblingDB("admin");
// No one is signed in yet, so the server lets only roles of its database admin be given: the user begins as one who looks after users…
admin.createUser({ user: "atelier", pwd: password, roles: ["userAdminAnyDatabase"] });
admin.auth("atelier", password);
// …and keeps what it is for: its own database; what the cluster says of itself, for metrics and checks.
admin.updateUser("atelier", {
  roles: [{ role: "readWrite", db: "atelier" }, { role: "dbAdmin", db: "atelier" }, "clusterMonitor"],
});
print("the replica set is made");
