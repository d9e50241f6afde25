// Sends mail over SMTP. The development profile, where no server is set, writes it to the log instead.
import type { Transporter } from "nodemailer";
import type { Config } from "./config/config.ts";
import type { Logger } from "./log/log.ts";
import { mailHtml } from "./mail-html.ts";
import { publicUrls } from "./public-urls.ts";

/** A person waits for the answer, so a server that does not speak is given up soon. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export type Mail = {
  to: string;
  subject: string;
  /** The HTML part is made of it. */
  text: string;
  /** A mail that is sent again keeps its id, so that mailboxes can recognize it. Made up where there is none. */
  messageId?: string;
};

export type Mailer = {
  /** Resolves once the server has taken the mail; rejects when it did not. */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** undefined where there is no way to send: production without ATELIER_SMTP_URL. */
export function createMailer(config: Config, log: Pick<Logger, "info">): Mailer | undefined {
  if (config.smtpUrl !== undefined) return smtpMailer(new URL(config.smtpUrl), config);
  if (config.profile === "production") return undefined;
  return { send: async (mail) => log.info(mail, "mail that would be sent"), close: () => {} };
}

/** Connects to the server and signs in, and sends nothing. Rejects where that cannot be done. */
export async function tryMailServer(smtpUrl: string): Promise<void> {
  const transport = await openTransport(new URL(smtpUrl));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** The package is loaded here, so that a start does not wait for it. */
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
    // A password never leaves this machine unencrypted.
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

/** RFC 5322: what stands on the left of the @ may hold no colon. */
function messageIdOf(id: string): string {
  return `<${id.replaceAll(/[^A-Za-z0-9._-]/g, "-")}@atelier>`;
}
