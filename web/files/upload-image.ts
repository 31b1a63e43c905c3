// Uploads an image and reports its progress. The requests are those of the client, which also
// splits the file into chunks. A lost request is sent again: the server stores each chunk once.
import { AppwriteException, type Client, Storage } from 'appwrite'
import type { FileModel } from '#contract/files.ts'
import { CHUNK_BYTES } from '#contract/limits.ts'
import { DRAWN_COVER_PREFIX } from '#contract/share-card.ts'
import { type Api, fail, failureOf, type Result, resultOf, succeed } from '../api/client.ts'
import { pauseUntilOnline } from '../ui/use-online.ts'
import { deleteFile } from './files-api.ts'
import { CANCELLED, isTemporary, sendBody } from './upload-request.ts'

/** Pauses before a lost chunk is sent again; they end early when the browser is online again. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000]

type UploadClientOptions = {
  /** Called with the number of sent bytes. */
  onSent: (sentBytes: number) => void
  /** Called when the connection breaks; `retry` tries again at once. */
  onLost?: ((retry: () => void) => void) | undefined
  signal: AbortSignal
  /** False for a new id: the client need not ask the server which chunks it has. */
  isResumed: boolean
}

/** `cancel` ends an upload that is still under way. */
export type UploadProgress = { sentBytes: number; totalBytes: number; cancel?: () => void }

/** Ids of files that were uploaded in part: a retry continues where the upload stopped. */
const unfinished = new WeakMap<File, string>()
const ID_BYTES = 10

/** `id` is the file's old id; without it the image gets a new one. */
type NewImage = {
  file: File
  id?: string
  onProgress?: (progress: UploadProgress) => void
  onLost?: ((retry: () => void) => void) | undefined
  /** Cancels the upload, as `cancel` does. */
  signal?: AbortSignal | undefined
}

/**
 * Stores an image. For the same `File`, a retry after a failure sends only the chunks that are
 * missing.
 *
 * @param options `onProgress` is called with the progress, from 0 on, and a function that cancels
 * @returns for a cancelled upload, a failure of the type `upload_cancelled`
 */
export async function uploadImage(
  api: Api,
  bucketId: string,
  { file, id, onProgress, onLost, signal }: NewImage,
): Promise<Result<FileModel>> {
  const abort = new AbortController()
  const cancel = () => abort.abort()
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true, signal: abort.signal })
  const resumedId = unfinished.get(file)
  let maxSentBytes = resumedId === undefined ? 0 : file.size
  const onSent = (sentBytes: number) => {
    maxSentBytes = Math.max(maxSentBytes, sentBytes)
    onProgress?.({ sentBytes, totalBytes: file.size, cancel })
  }
  const fileId = resumedId ?? id ?? makeFileId(file)
  unfinished.set(file, fileId)
  onSent(0)
  const client = makeUploadClient(api.client, {
    onSent,
    onLost,
    signal: abort.signal,
    isResumed: resumedId !== undefined,
  })
  try {
    const stored = await new Storage(client).createFile(bucketId, fileId, file)
    unfinished.delete(file)
    return succeed(stored)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.type === 'storage_file_already_exists') {
      // The id is random, so the stored file is this one, and only the response was lost.
      unfinished.delete(file)
      return resultOf<FileModel>(api.storage.getFile(bucketId, fileId))
    }
    if (failure.type === CANCELLED) {
      unfinished.delete(file)
      // Until the first chunk is complete the server stores nothing.
      if (maxSentBytes >= Math.min(file.size, CHUNK_BYTES)) await deleteFile(api, bucketId, fileId)
    }
    // The server refused the file itself: a retry starts from the beginning.
    if (failure.code >= 400 && failure.code < 500 && failure.code !== 401 && failure.code !== 429)
      unfinished.delete(file)
    return fail(failure)
  }
}

function makeFileId({ name }: File): string {
  const prefix = name.startsWith('drawn-cover-') ? DRAWN_COVER_PREFIX : ''
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES))
  return prefix + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Extends a client: its uploads report progress, can be cancelled and survive a broken
 * connection.
 *
 * Calls fail like the client's own; a cancelled call fails with the type `upload_cancelled`.
 */
function makeUploadClient(client: Client, options: UploadClientOptions): Client {
  const uploading: Client = Object.create(client)
  uploading.call = async (method, url, headers = {}, params = {}) => {
    if (params.file instanceof File)
      return sendWithRetries(client, url, { headers, params, ...options })
    if (!options.isResumed) throw new AppwriteException('Nothing was sent yet.', 404)
    return client.call(method, url, headers, params)
  }
  return uploading
}

type Form = UploadClientOptions & {
  headers: Record<string, string>
  params: Record<string, unknown>
}

async function sendWithRetries(client: Client, url: URL, form: Form): Promise<unknown> {
  for (const pauseMs of RETRY_MS) {
    try {
      return await sendForm(client, url, form)
    } catch (error) {
      if (!isTemporary(failureOf(error))) throw error
      await pauseUntilOnline(pauseMs, form.signal, form.onLost)
    }
  }
  return sendForm(client, url, form)
}

function sendForm(
  client: Client,
  url: URL,
  { headers, params, onSent, signal }: Form,
): Promise<unknown> {
  const startBytes = Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? 0)
  const fileBytes = params.file instanceof File ? params.file.size : 0
  return sendBody(client, url, {
    method: 'POST',
    headers,
    body: toForm(params),
    // The form is a little longer than the file in it.
    onSent: (sentBytes) => onSent(startBytes + Math.min(sentBytes, fileBytes)),
    signal,
  })
}

/** The same form as the client's: lists are under `name[]`. */
function toForm(params: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(params)) {
    const isList = Array.isArray(value)
    for (const item of isList ? value : [value])
      form.append(isList ? `${key}[]` : key, item instanceof File ? item : String(item))
  }
  return form
}
