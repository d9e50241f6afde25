// Which databases development may write: it makes sample data there and prints keys. Pure.

const MONGODB = /^mongodb(\+srv)?:\/\//i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Whether every host of the address is this machine: loopback, or a unix socket. What is no address of MongoDB is left to the driver. */
export function isOnThisMachine(mongodbUri: string): boolean {
  const scheme = MONGODB.exec(mongodbUri);
  if (!scheme) return true;
  // An srv address is a name that the DNS leads somewhere.
  if (scheme[1] !== undefined) return false;
  const authority = mongodbUri.slice(scheme[0].length).split(/[/?]/)[0] ?? "";
  const hosts = authority.slice(authority.lastIndexOf("@") + 1).split(",");
  return hosts.every((host) => LOOPBACK.test(host) || isSocket(host));
}

/** Percent-encoded, as the driver wants it: %2Ftmp%2Fmongodb-27017.sock */
function isSocket(host: string): boolean {
  return /^%2f/i.test(host) && /\.sock$/i.test(host);
}
