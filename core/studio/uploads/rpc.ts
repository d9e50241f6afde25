// The Uploads service: decode, call the verb, encode.
import { toMessage } from "../../../proto/codec.ts";
import { uploadAddressSchema, type UploadResource, uploadSchema } from "../../../proto/resources/upload.ts";
import type { UploadInput } from "../../../proto/types/atelier/v1/Upload.ts";
import type { UploadPart } from "../../../proto/types/atelier/v1/UploadPart.ts";
import type { UploadsDefinition } from "../../../proto/types/atelier/v1/Uploads.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import { checkStanding } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import type { Call, Handlers } from "../../kernel/rpc.ts";
import { createUploadAddress, finishUpload, sendToAddress } from "./address.ts";
import { deleteOwnUpload, findOwnUpload } from "./own-uploads.ts";
import { receiveUpload, reuseEarlier, type UploadReceiver } from "./receive.ts";
import { verifyUploadAccess } from "./sign.ts";
import type { ReadyUpload } from "./store.ts";

export function uploadsHandlers(app: App, receiver: UploadReceiver): Handlers<UploadsDefinition> {
  const ownerOf = async ({ caller }: Call) => (await authenticate(app, caller, "write")).account._id;
  return {
    AddUpload: async (parts, call) => uploadMessage(await addUpload(app, receiver, parts, call)),
    GetUpload: async ({ upload_id: uploadId }, { caller }) => {
      const { account } = await authenticate(app, caller, "read");
      return uploadMessage(await findOwnUpload(app, account._id, uploadId));
    },
    DeleteUpload: async ({ upload_id: uploadId }, call) => {
      await deleteOwnUpload(app, await ownerOf(call), uploadId);
      return {};
    },
    CreateUploadAddress: async ({ bytes, direct }, call) =>
      toMessage(uploadAddressSchema, await createUploadAddress(app, await ownerOf(call), { bytes, direct })),
    FinishUpload: async ({ upload_id: uploadId }, call) => {
      const accountId = await ownerOf(call);
      return uploadMessage(await finishUpload(app, receiver, { accountId, uploadId }, call.signal));
    },
  };
}

async function addUpload(
  app: App,
  receiver: UploadReceiver,
  parts: AsyncIterable<UploadPart>,
  { caller, signal }: Call,
): Promise<ReadyUpload> {
  const rest = parts[Symbol.asyncIterator]();
  // The stream was empty: the caller sent an empty file.
  const first = (await rest.next()).value as UploadPart | undefined;
  const { upload_id: uploadId = "", signed } = first ?? {};
  const accountId = signed
    ? verifyUploadAccess(app, { ...signed, uploadId })
    : (await authenticate(app, caller, "write")).account._id;
  if (signed) await checkStanding(app, accountId);
  const arrival = { pieces: dataOf(first, rest), signal };
  const leave = receiver.places.take({ account: accountId });
  try {
    if (uploadId !== "") return await sendToAddress(app, receiver, { accountId, uploadId }, arrival);
    const upload = await receiveUpload(app, receiver, accountId, arrival);
    return first?.reuse ? await reuseEarlier(app, upload) : upload;
  } finally {
    leave();
  }
}

async function* dataOf(
  first: UploadPart | undefined,
  rest: AsyncIterator<UploadPart>,
): AsyncGenerator<Uint8Array> {
  for (let part = first; part; part = (await rest.next()).value as UploadPart | undefined)
    if (part.data.length > 0) yield part.data;
}

function uploadMessage(upload: ReadyUpload): UploadInput {
  return toMessage(uploadSchema, toUpload(upload));
}

function toUpload({ _id, facts, expires_at }: ReadyUpload): UploadResource {
  return { upload_id: _id, ...facts, expires_at: expires_at.toISOString() };
}
