// The addresses of /connect.
import { BUNDLE_NAME } from "./desktop-bundle.ts";

export const CONNECT_PATH = "/connect";
export const KEY_PATH = `${CONNECT_PATH}/key`;
export const BUNDLE_PATH = `${CONNECT_PATH}/${BUNDLE_NAME}`;
