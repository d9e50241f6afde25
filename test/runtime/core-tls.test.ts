// gRPC over TLS, with certificates that openssl creates here.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { connectCore } from "../../edge/core-connection.ts";
import { type Config, loadConfig } from "../../runtime/config/config.ts";
import { startTestCore, type TestCore } from "../support/core.ts";
import { useFolder } from "../support/shared.ts";

const folder = useFolder();
const pem = (name: string) => folder(`${name}.pem`);
const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "ignore", cwd: folder() });

function makeAuthority(name: string): void {
  const subject = ["-subj", `/CN=${name}`, "-addext", "basicConstraints=critical,CA:TRUE"];
  const key = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-keyout",
    pem(`${name}-key`),
  ];
  openssl("req", "-x509", ...key, "-out", pem(name), "-days", "2", ...subject);
}

function makeCertificate(name: string, authority: string, host: string): void {
  const key = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-keyout",
    pem(`${name}-key`),
  ];
  openssl("req", ...key, "-out", pem(`${name}-csr`), "-subj", `/CN=${name}`);
  writeFileSync(pem(`${name}-ext`), `subjectAltName=${host}\n`);
  const by = ["-CA", pem(authority), "-CAkey", pem(`${authority}-key`), "-CAcreateserial"];
  openssl(
    "x509",
    "-req",
    "-in",
    pem(`${name}-csr`),
    ...by,
    "-out",
    pem(name),
    "-days",
    "2",
    "-extfile",
    pem(`${name}-ext`),
  );
}

beforeAll(() => {
  makeAuthority("ca");
  makeAuthority("stranger");
  makeCertificate("core", "ca", "IP:127.0.0.1");
  makeCertificate("named", "ca", "DNS:core.internal");
  makeCertificate("client", "ca", "DNS:gateway.internal");
  makeCertificate("foreign", "stranger", "DNS:gateway.internal");
});

/** Whether a gateway with these settings can call core. */
async function canCall(core: TestCore, env: Record<string, string>): Promise<boolean> {
  const client = connectCore(loadConfig({ ...core.env, ...env }), "gateway", { address: core.address });
  try {
    await client.models.ListPlans({}, { deadlineMs: 5_000 });
    return true;
  } catch {
    return false;
  } finally {
    client.close();
  }
}

async function withCore(env: Record<string, string>, work: (core: TestCore) => Promise<void>): Promise<void> {
  const core = await startTestCore({ env });
  try {
    await work(core);
  } finally {
    await core.close();
  }
}

describe("[RPC-06] gRPC over TLS", () => {
  test("accepts clients that trust core's certificate, and none without TLS", async () => {
    const server = { ATELIER_GRPC_TLS_CERT: pem("core"), ATELIER_GRPC_TLS_KEY: pem("core-key") };
    await withCore(server, async (core) => {
      expect(await canCall(core, { ATELIER_CORE_TLS_CA: pem("ca") })).toBe(true);
      expect(await canCall(core, { ATELIER_CORE_TLS_CA: pem("stranger") })).toBe(false);
      expect(await canCall(core, {})).toBe(false);
    });
  });

  test("uses the certificate's name when it is configured", async () => {
    const server = { ATELIER_GRPC_TLS_CERT: pem("named"), ATELIER_GRPC_TLS_KEY: pem("named-key") };
    await withCore(server, async (core) => {
      const ca = { ATELIER_CORE_TLS_CA: pem("ca") };
      expect(await canCall(core, ca)).toBe(false);
      expect(await canCall(core, { ...ca, ATELIER_CORE_TLS_NAME: "core.internal" })).toBe(true);
    });
  });

  test("is mutual when core has an authority for its clients", async () => {
    const server = {
      ATELIER_GRPC_TLS_CERT: pem("core"),
      ATELIER_GRPC_TLS_KEY: pem("core-key"),
      ATELIER_GRPC_TLS_CLIENT_CA: pem("ca"),
    };
    await withCore(server, async (core) => {
      const ca = { ATELIER_CORE_TLS_CA: pem("ca") };
      const own = (name: string) => ({
        ATELIER_CORE_TLS_CERT: pem(name),
        ATELIER_CORE_TLS_KEY: pem(`${name}-key`),
      });
      expect(await canCall(core, { ...ca, ...own("client") })).toBe(true);
      expect(await canCall(core, { ...ca, ...own("foreign") })).toBe(false);
      expect(await canCall(core, ca)).toBe(false);
    });
  });

  test("ends although a connection has not begun TLS", async () => {
    const server = { ATELIER_GRPC_TLS_CERT: pem("core"), ATELIER_GRPC_TLS_KEY: pem("core-key") };
    const silent = new Socket();
    await withCore(server, async (core) => {
      const [host = "", port] = core.address.split(":");
      silent.connect(Number(port), host);
      await once(silent, "connect");
    });
    // Node closes it after two minutes, for which core has not waited.
    expect(silent.readyState).toBe("open");
    silent.destroy();
  });

  test("does not start with half of its settings, or with invalid files", () => {
    expect(() => loadConfig({ ATELIER_GRPC_TLS_CERT: "x" })).toThrow(
      "ATELIER_GRPC_TLS_KEY: required with ATELIER_GRPC_TLS_CERT",
    );
    expect(() => loadConfig({ ATELIER_CORE_TLS_CERT: "x", ATELIER_CORE_TLS_KEY: "y" })).toThrow(
      "ATELIER_CORE_TLS_CA: required with ATELIER_CORE_TLS_CERT",
    );
    const connect = (env: Record<string, string>) =>
      connectCore(loadConfig({ ATELIER_DATA_DIR: folder(), ...env }), "gateway", { address: "127.0.0.1:1" });
    expect(() => connect({ ATELIER_CORE_TLS_CA: pem("missing") })).toThrow(
      /^ATELIER_CORE_TLS_CA: .* cannot be read \(ENOENT\)\.$/,
    );
    expect(() => connect({ ATELIER_CORE_TLS_CA: pem("core-ext") })).toThrow(/ is not a PEM file\.$/);
  });
});

describe("[RPC-06] production", () => {
  const PRODUCTION = {
    NODE_ENV: "production",
    MONGODB_URI: "mongodb://127.0.0.1/?replicaSet=rs",
    ATELIER_BASE_URL: "https://atelier.test",
    ATELIER_SECRET: "f0QmY2c5d3x8Lk1TzW7vGhJr9NbEuPaS4oXiKyCtM6g=",
  };
  const load = (env: Record<string, string>): Config => loadConfig({ ...PRODUCTION, ...env });
  const tls = { ATELIER_GRPC_TLS_CERT: "core.pem", ATELIER_GRPC_TLS_KEY: "key.pem" };

  test.each(["127.0.0.1", "localhost", "::1"])("serves plain gRPC on %s", (ATELIER_GRPC_HOST) => {
    expect(load({ ATELIER_GRPC_HOST }).grpcHost).toBe(ATELIER_GRPC_HOST);
  });

  test.each(["0.0.0.0", "10.0.0.7", "::"])("refuses to serve it on %s", (ATELIER_GRPC_HOST) => {
    expect(() => load({ ATELIER_GRPC_HOST })).toThrow(
      /ATELIER_GRPC_HOST: refused in production: .*ATELIER_ALLOW_INSECURE=plaintext_grpc/,
    );
    load({ ATELIER_GRPC_HOST, ATELIER_ALLOW_INSECURE: "plaintext_grpc" });
    load({ ATELIER_GRPC_HOST, ...tls });
  });

  test.each(["core.internal:50051", "dns:///core.internal:50051", "10.0.0.7:50051", "[2001:db8::1]:50051"])(
    "refuses plaintext calls to core at %s",
    (ATELIER_CORE_ADDRESS) => {
      expect(() => load({ ATELIER_CORE_ADDRESS })).toThrow(
        /ATELIER_CORE_ADDRESS: refused in production: .*ATELIER_ALLOW_INSECURE=plaintext_grpc/,
      );
      load({ ATELIER_CORE_ADDRESS, ATELIER_CORE_TLS_CA: "ca.pem" });
    },
  );

  test.each(["127.0.0.1:50051", "dns:///localhost:50051", "[::1]:50051", "unix:/run/core.sock"])(
    "calls core in plaintext at %s",
    (ATELIER_CORE_ADDRESS) => {
      expect(load({ ATELIER_CORE_ADDRESS }).coreAddress).toBe(ATELIER_CORE_ADDRESS);
    },
  );
});
