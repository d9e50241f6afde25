// Sends mail over SMTP. If no server is set, the development profile writes mail to the log instead.
import type { Transporter } from "nodemailer";
import type { Config } from "./config/config.ts";
import type { Logger } from "./log/log.ts";
import { mailHtml } from "./mail-html.ts";
import { publicUrls } from "./public-urls.ts";

/** A person waits for the answer, so a server that does not respond is given up soon. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export type Mail = {
  to: string;
  subject: string;
  /** The plain text. The HTML part is made from it. */
  text: string;
  /** A mail that is sent again keeps its id, so that mail programs recognize it. Without one, the library makes one. */
  messageId?: string;
};

export type Mailer = {
  /** Resolves after the server has accepted the mail, and rejects if it did not. */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** Undefined if there is no way to send: production without ATELIER_SMTP_URL. */
export function createMailer(config: Config, log: Pick<Logger, "info">): Mailer | undefined {
  if (config.smtpUrl !== undefined) return smtpMailer(new URL(config.smtpUrl), config);
  if (config.profile === "production") return undefined;
  return { send: async (mail) => log.info(mail, "mail that would be sent"), close: () => {} };
}

/** Connects to the server and signs in, without sending anything. Rejects if that fails. */
export async function tryMailServer(smtpUrl: string): Promise<void> {
  const transport = await openTransport(new URL(smtpUrl));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** The package is loaded here, so that the start does not wait for it. */
async function openTransport(url: URL, from?: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport(optionsOf(url), { from });
}

function optionsOf(url: URL) {
  return {
    url: url.href,
    pool: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // Passwords never leave this machine unencrypted.
    requireTLS: url.password !== "" && !LOOPBACK.includes(url.hostname),
  } as const;
}

function smtpMailer(url: URL, config: Config): Mailer {
  const { baseUrl } = publicUrls(config);
  let opening: Promise<Transporter> | undefined;
  return {
    send: async ({ messageId, ...mail }) => {
      opening ??= openTransport(url, config.mailFrom);
      const transport = await opening;
      await transport.sendMail({
        ...mail,
        html: mailHtml({ ...mail, baseUrl }),
        ...(messageId !== undefined && { messageId: messageIdOf(messageId) }),
      });
    },
    close: () => void opening?.then((transport) => transport.close()),
  };
}

/** The part of an address to the left of the @ must not contain a colon here (RFC 5322). */
function messageIdOf(id: string): string {
  return `<${id.replaceAll(/[^A-Za-z0-9._-]/g, "-")}@atelier>`;
}
