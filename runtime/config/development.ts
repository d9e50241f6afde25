// Which databases the development profile may write to: it creates sample data there and prints keys. This file is pure.

const MONGODB = /^mongodb(\+srv)?:\/\//i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Returns whether every host of the address is this machine: loopback or a unix socket. The driver reports what is not a MongoDB address.
 */
export function isOnThisMachine(mongodbUri: string): boolean {
  const scheme = MONGODB.exec(mongodbUri);
  if (!scheme) return true;
  // An srv address is a name that the DNS resolves to other hosts.
  if (scheme[1] !== undefined) return false;
  const authority = mongodbUri.slice(scheme[0].length).split(/[/?]/)[0] ?? "";
  const hosts = authority.slice(authority.lastIndexOf("@") + 1).split(",");
  return hosts.every((host) => LOOPBACK.test(host) || isSocket(host));
}

/** The driver wants socket paths percent-encoded: %2Ftmp%2Fmongodb-27017.sock */
function isSocket(host: string): boolean {
  return /^%2f/i.test(host) && /\.sock$/i.test(host);
}
