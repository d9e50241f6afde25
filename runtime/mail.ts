// Sends mail over SMTP. If no server is set, the development profile writes mail to the log instead.
import type { Transporter } from "nodemailer";
import type { Config } from "./config/config.ts";
import { escaped, Html } from "./html.ts";
import type { Logger } from "./log/log.ts";
import { publicUrls } from "./public-urls.ts";

/** A person waits for the answer, so a server that does not respond is given up soon. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const INK = "#1f1c18";
const SOFT = "#5c554b";
const ACCENT = "#a83f1b";
const BUTTON = /^([^:]{2,60}): (https?:\/\/\S+)$/;
const CODE = /^\d{4} \d{4}$/;
const FACT = /^ {2}(\S.*?) {2,}(\S.*)$/;
const AMOUNT = /^−?[\d.,]+ [A-Z]{3}$/;

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

type State = { hasButton: boolean };

/**
 * The HTML of a mail, made of its plain text: the mark, paragraphs, facts in two columns, and one button. Only URLs that begin with
 * `baseUrl` become links, because the text may quote other people.
 *
 *     1234 5678                         a code of a sign-in alone stands large
 *
 *   Thank you. This is yours now:
 *
 *     Icons, client licence             lines with two leading spaces stand together, as facts where they have two columns, and
 *                                     amounts in a right-aligned one
 *     Paid       19.00 USD
 *
 *   Your order: https://…               a line of words and an address of this site is the button, the first time
 */
export function mailHtml({
  subject,
  text,
  baseUrl,
}: {
  subject: string;
  text: string;
  baseUrl: string;
}): string {
  const state: State = { hasButton: false };
  const isOurs = (url: string) => url === baseUrl || url.startsWith(`${baseUrl}/`);
  const blocks = text
    .trim()
    .split(/\n{2,}/)
    .map((block) => blockOf(block.split("\n"), isOurs, state));
  return escaped`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body style="margin:0;padding:0;background:#faf8f4">
<div style="max-width:34rem;margin:0 auto;padding:32px 24px;color:${INK};font:16px/1.6 -apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<p style="margin:0 0 24px;font:600 22px/1 Georgia,serif"><span style="display:inline-block;width:28px;margin-right:8px;border-radius:6px;background:${ACCENT};color:#fff;text-align:center;line-height:28px">A</span>Atelier</p>
<div style="padding:24px;border:1px solid #ddd6ca;border-radius:16px;background:#fff">${blocks}</div>
</div>
</body>
</html>
`.text;
}

function blockOf(lines: readonly string[], isOurs: (url: string) => boolean, state: State): Html {
  if (lines.every((line) => line.startsWith("  "))) return indented(lines);
  const [, label = "", url = ""] = BUTTON.exec(lines.at(-1) ?? "") ?? [];
  if (url === "" || !isOurs(url) || state.hasButton) return paragraph(lines, isOurs);
  state.hasButton = true;
  const before = lines.length > 1 ? paragraph(lines.slice(0, -1), isOurs) : new Html("");
  return escaped`${before}<p style="margin:0 0 16px"><a href="${url}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${ACCENT};color:#fff;font-weight:600;text-decoration:none">${label}</a></p>`;
}

function paragraph(lines: readonly string[], isOurs: (url: string) => boolean): Html {
  const words = lines.map(
    (line, i) => escaped`${i > 0 ? new Html("<br>") : undefined}${linked(line, isOurs)}`,
  );
  const size = CODE.test(lines.join("\n")) ? ";font-size:28px;font-weight:600;letter-spacing:2px" : "";
  return escaped`<p style="margin:0 0 16px;overflow-wrap:anywhere${size}">${words}</p>`;
}

function linked(line: string, isOurs: (url: string) => boolean): Html[] {
  return line
    .split(/(https?:\/\/\S+)/)
    .map((part) =>
      /^https?:/.test(part) && isOurs(part)
        ? escaped`<a href="${part}" style="color:${ACCENT}">${part}</a>`
        : escaped`${part}`,
    );
}

function indented(lines: readonly string[]): Html {
  const facts = lines.map((line) => FACT.exec(line));
  const areAmounts = facts.every((fact) => AMOUNT.test(fact?.[2] ?? ""));
  const aligned = areAmounts ? ";text-align:right;font-variant-numeric:tabular-nums" : "";
  const rows = facts.map((fact, i) =>
    fact === null
      ? escaped`<tr><td colspan="2" style="padding:4px 0;font-weight:600">${lines[i]?.trim()}</td></tr>`
      : escaped`<tr><td style="padding:4px 16px 4px 0;color:${SOFT};vertical-align:top">${fact[1]}</td><td style="padding:4px 0${aligned}">${fact[2]}</td></tr>`,
  );
  return escaped`<table role="presentation" style="margin:0 0 16px;border-collapse:collapse${areAmounts ? ";width:100%" : ""}">${rows}</table>`;
}
