// A real SMTP server on a free loopback port that stores its mails.
import { SMTPServer } from "smtp-server";
import { waitFor } from "./wait-for.ts";

export type ReceivedMail = { from: string; to: string[]; raw: string };

export type MailServer = {
  /** For ATELIER_SMTP_URL. */
  readonly url: string;
  readonly received: ReceivedMail[];
  /** The first URL in the newest mail with a link for `email`, once there are `count` of them. Notices are not counted. */
  linkFor(email: string, count?: number): Promise<string>;
  /** The code in the newest mail with a link for `email`. */
  codeFor(email: string): Promise<string>;
  close(): Promise<void>;
};

/** Without encryption, on a loopback address. */
export async function startMailServer(host = "127.0.0.1"): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    // It would offer an untrusted certificate.
    disabledCommands: ["STARTTLS", "AUTH"],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push({
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  // A killed sender disconnects.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("the mail server has no port");
  const newestFor = async (email: string, count: number, wanted: RegExp): Promise<string> => {
    const mails = await waitFor(`${count} mails to ${email}`, () => {
      const found = received.filter(
        ({ to, raw }) => to.includes(email) && readText(raw).includes("/sign-in/confirm"),
      );
      return found.length >= count ? found : undefined;
    });
    const [found] = wanted.exec(readText(mails.at(-1)?.raw ?? "")) ?? [];
    if (found === undefined) throw new Error(`the mail has nothing like ${String(wanted)}`);
    return found;
  };
  return {
    url: `smtp://${host}:${address.port}`,
    received,
    linkFor: (email, count = 1) => newestFor(email, count, /https?:\S+/),
    codeFor: (email) => newestFor(email, 1, /^\d{4} \d{4}$/m),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The plain part of a mail. */
export function readText(raw: string): string {
  return readPart(raw, "plain");
}

export function readHtml(raw: string): string {
  return readPart(raw, "html");
}

/** The parts of a mail with alternatives (RFC 2046): quoted-printable (RFC 2045), base64 or unencoded. */
function readPart(raw: string, kind: "plain" | "html"): string {
  const boundary = /boundary="?([^"\r\n;]+)"?/i.exec(raw)?.[1];
  const parts = boundary === undefined ? [raw] : raw.split(`--${boundary}`).map((part) => part.trimStart());
  const part = parts.find((each) => new RegExp(`^content-type: text/${kind}`, "im").test(headOf(each))) ?? "";
  const text = part.slice(headOf(part).length).replace(/^\r\n\r\n/, "");
  if (/^content-transfer-encoding: base64/im.test(headOf(part)))
    return Buffer.from(text, "base64").toString();
  if (!/^content-transfer-encoding: quoted-printable/im.test(headOf(part))) return text;
  const bytes = text
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

function headOf(part: string): string {
  return part.split("\r\n\r\n", 1)[0] ?? "";
}
