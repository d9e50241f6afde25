// Reads the settings and checks them against each other. This is the only file that reads process.env.
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { CONFIG_KEYS } from "./config-keys.ts";
import { refusals } from "./production.ts";

/** The form in which a variable is named inside the JSON of providers. */
const ENV_NAME = /\$\{env\.([A-Za-z0-9_]+)\}/g;
/** Mounted secrets often end with a line break that does not belong to them. */
const LAST_LINE_BREAK = /\r?\n$/;
const MONGODB = /^mongodb(\+srv)?:\/\//i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

type Keys = typeof CONFIG_KEYS;
/** Every setting after it was read. */
export type Config = { readonly [K in keyof Keys]: z.output<Keys[K]["schema"]> };

/** Each setting on the left needs all settings that follow it. */
const NEEDS: readonly (readonly [keyof Config, ...(keyof Config)[]])[] = [
  ["grpcTlsCert", "grpcTlsKey"],
  ["grpcTlsKey", "grpcTlsCert"],
  ["grpcTlsClientCa", "grpcTlsCert"],
  ["coreTlsCert", "coreTlsKey", "coreTlsCa"],
  ["coreTlsKey", "coreTlsCert"],
  ["coreTlsName", "coreTlsCa"],
  ["contentCredentialsKey", "contentCredentialsCert"],
];
/** Either all settings of a group are given or none. */
const S3_KEYS = ["s3Endpoint", "s3Bucket", "s3AccessKeyId", "s3SecretAccessKey"] as const;

/** A setting that cannot be used. The message names each variable and says what is wrong with it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads and checks the environment, and the files that its `…_FILE` variables name. Throws ConfigError. */
export function loadConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  const { config, problems } = checkConfig(variables);
  if (problems.length > 0) throw new ConfigError(`The configuration cannot be used. ${problems.join(". ")}`);
  return config;
}

export type CheckedConfig = {
  /** The settings. A setting that cannot be used has its default here. */
  readonly config: Config;
  /** The errors: each text names a variable and the problem, and quotes no value. */
  readonly problems: readonly string[];
};

/** Like loadConfig, for callers who want to hear about every problem and continue. */
export function checkConfig(variables: NodeJS.ProcessEnv = process.env): CheckedConfig {
  const problems: string[] = [];
  const env = readFiles(variables, problems);
  const entries = Object.entries(CONFIG_KEYS).map(([name, { env: variable, schema }]) => {
    const raw = env[variable];
    const parsed = schema.safeParse(raw === "" ? undefined : raw);
    if (parsed.success) return [name, parsed.data];
    problems.push(`${variable}: ${parsed.error.issues.map((issue) => issue.message).join("; ")}`);
    return [name, schema.safeParse(undefined).data];
  });
  const parsed = Object.fromEntries(entries) as Config;
  const config = { ...parsed };
  for (const name of ["aiSdkProviders", "httpQueueProviders"] as const)
    Object.assign(config, {
      [name]: fillIn(parsed[name], { env, problems, variable: CONFIG_KEYS[name].env }),
    });
  for (const name of Object.keys(config.aiSdkProviders))
    if (Object.hasOwn(config.httpQueueProviders, name))
      problems.push(
        `${CONFIG_KEYS.httpQueueProviders.env}: ${CONFIG_KEYS.aiSdkProviders.env} names a provider ${name} too`,
      );
  if (config.profile === "production") problems.push(...problemsOfProduction(config));
  else problems.push(...problemsOfDevelopment(config));
  problems.push(...whatIsMissing(config));
  if (config.archiveAfterDays > 0 && config.archiveAfterDays <= config.outputDays)
    problems.push(
      `${CONFIG_KEYS.archiveAfterDays.env}: must be more than ${CONFIG_KEYS.outputDays.env}, because archived jobs have no files`,
    );
  return { config, problems };
}

function problemsOfDevelopment({ mongodbUri, allowDev }: Config): string[] {
  if (mongodbUri === undefined || allowDev || isOnThisMachine(mongodbUri)) return [];
  return [
    `${CONFIG_KEYS.mongodbUri.env}: not on this machine, and ${CONFIG_KEYS.profile.env} is not production, so sample data would be written there. ` +
      `Set ${CONFIG_KEYS.profile.env}=production, or ${CONFIG_KEYS.allowDev.env}=1 if it is a database for development`,
  ];
}

function problemsOfProduction(config: Config): string[] {
  const problems: string[] = [];
  for (const required of ["secret", "baseUrl"] as const) {
    if (!config[required]) problems.push(`${CONFIG_KEYS[required].env}: required in production`);
  }
  if (config.payments === "demo")
    problems.push(
      `${CONFIG_KEYS.payments.env}: demo gives away what costs money, and is refused in production`,
    );
  for (const { setting, allow, say } of refusals(config)) {
    if (config.allowInsecure.includes(allow)) continue;
    problems.push(
      `${CONFIG_KEYS[setting].env}: refused in production: ${say}, or allow it with ${CONFIG_KEYS.allowInsecure.env}=${allow}`,
    );
  }
  return problems;
}

/** Finds settings that were given without the other settings that they need. */
function whatIsMissing(config: Config): string[] {
  const problems: string[] = [];
  if (config.payments === "stripe") {
    for (const required of ["stripeSecretKey", "stripeWebhookSecrets"] as const) {
      if (!config[required]?.length)
        problems.push(`${CONFIG_KEYS[required].env}: required with ${CONFIG_KEYS.payments.env}=stripe`);
    }
  }
  for (const [name, ...all] of NEEDS) {
    for (const needed of config[name] === undefined ? [] : all) {
      if (config[needed] === undefined)
        problems.push(`${CONFIG_KEYS[needed].env}: required with ${CONFIG_KEYS[name].env}`);
    }
  }
  if (config.sessionJwksUrl !== undefined) {
    for (const required of ["sessionIssuer", "sessionAudience"] as const) {
      if (!config[required])
        problems.push(`${CONFIG_KEYS[required].env}: required with ${CONFIG_KEYS.sessionJwksUrl.env}`);
    }
  }
  if (S3_KEYS.some((name) => config[name] !== undefined)) {
    for (const required of S3_KEYS) {
      if (!config[required])
        problems.push(`${CONFIG_KEYS[required].env}: required with the other settings of S3`);
    }
  }
  return problems;
}

/** Returns the files that `…_FILE` variables name, by variable, for checks of who may read them. */
export function settingFiles(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(process.env).flatMap(([name, path]) =>
      name.endsWith("_FILE") && path !== undefined && path !== "" ? [[name, path] as const] : [],
    ),
  );
}

/**
 * The environment with `NAME` read from the file that `NAME_FILE` names, for each setting and each variable in the JSON of providers: a
 * secret need not be in the environment, which children inherit and tools show.
 */
function readFiles(variables: NodeJS.ProcessEnv, problems: string[]): NodeJS.ProcessEnv {
  const env = { ...variables };
  const settings = Object.values(CONFIG_KEYS).map((setting) => setting.env);
  for (const name of settings) readFile(env, name, problems);
  // Providers are read last, because the variable that holds them may itself have come from a file.
  for (const name of settings)
    for (const [, named = ""] of (env[name] ?? "").matchAll(ENV_NAME)) readFile(env, named, problems);
  return env;
}

function readFile(env: NodeJS.ProcessEnv, name: string, problems: string[]): void {
  const path = env[`${name}_FILE`];
  if (!path) return;
  delete env[`${name}_FILE`];
  if (env[name]) {
    problems.push(`${name}: ${name}_FILE is set as well; leave one of them out`);
    return;
  }
  try {
    env[name] = readFileSync(path, "utf8").replace(LAST_LINE_BREAK, "");
  } catch (error) {
    problems.push(`${name}_FILE: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

type Filling = { env: NodeJS.ProcessEnv; problems: string[]; variable: string };

/** Replaces `${env.NAME}` inside every string with the variable's value, so that no key has to be written into the JSON. */
function fillIn(value: unknown, filling: Filling): unknown {
  const { env, problems, variable } = filling;
  if (typeof value === "string") {
    return value.replace(ENV_NAME, (_match, name: string) => {
      if (!env[name]) problems.push(`${variable}: ${name} is named in it but not set`);
      return env[name] ?? "";
    });
  }
  if (Array.isArray(value)) return value.map((item: unknown) => fillIn(item, filling));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [name, fillIn(item, filling)]),
  );
}

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
