// Test connections: whether someone answers at an address, and with which certificate.
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";

const CONNECT_MS = 3_000;

export type Reached = { readonly certificate: { validFromDate: Date; validToDate: Date } | undefined };

/** Rejects if no one answers, or if the certificate is not valid for the name. */
export async function reach({ protocol, hostname, port }: URL): Promise<Reached> {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "https:") {
    await reachPort(host, Number(port || 80));
    return { certificate: undefined };
  }
  return reachTls({ host, port: Number(port || 443), servername: host });
}

export async function reachTls(options: ConnectionOptions): Promise<Reached> {
  const socket = connectTls({ ...options, timeout: CONNECT_MS });
  socket.on("timeout", () => socket.destroy(new Error("there is no answer")));
  try {
    await once(socket, "secureConnect");
    const certificate = socket.getPeerX509Certificate();
    return { certificate };
  } finally {
    socket.destroy();
  }
}

export async function reachPort(host: string, port: number): Promise<void> {
  const socket = connect({ host, port, timeout: CONNECT_MS });
  socket.on("timeout", () => socket.destroy(new Error("there is no answer")));
  try {
    await once(socket, "connect");
  } finally {
    socket.destroy();
  }
}
