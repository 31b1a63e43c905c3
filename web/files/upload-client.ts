// Sends the forms of an upload by XMLHttpRequest, because fetch reports no progress (decision
// 0013). The requests are those of the client, which also divides the file into chunks. A form that
// got lost is sent again: the server stores it once.

import { AppwriteException, type Client } from 'appwrite'
import { VIEWER_HEADER } from '#contract/ids.ts'
import { noteAnswer } from '../api/answers.ts'

export const CANCELLED = 'upload_cancelled'

const FORM_TIMEOUT_MS = 5 * 60_000
/** Pauses before a lost form is sent again; one ends early when the browser is online again. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000]
const LOST = 'connection_lost'

export type UploadClientOptions = {
  /** Hears how many bytes of the file are sent. */
  onSent: (sentBytes: number) => void
  /** Hears that the connection broke, and gets the means to try again before its time. */
  onLost?: ((retry: () => void) => void) | undefined
  signal: AbortSignal
  /** False for a new id: the client need not ask the server which chunks it has. */
  isResumed: boolean
}

/**
 * A client like the given one, whose uploads report progress, can be cancelled and survive a broken
 * connection.
 *
 * @note its calls fail as the client's do; a cancelled one with the type `upload_cancelled`
 */
export function makeUploadClient(client: Client, options: UploadClientOptions): Client {
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
      if (!isTemporary(error)) throw error
      await pause(pauseMs, form)
    }
  }
  return sendForm(client, url, form)
}

/** The connection was lost, or the server is busy for the moment. */
function isTemporary(error: unknown): boolean {
  return error instanceof AppwriteException && (error.type === LOST || error.code === 503)
}

async function pause(
  ms: number,
  { signal, onLost }: Pick<UploadClientOptions, 'signal' | 'onLost'>,
): Promise<void> {
  const over = new AbortController()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    over.signal.addEventListener('abort', () => clearTimeout(timer))
    window.addEventListener('online', () => resolve(), { signal: over.signal })
    signal.addEventListener('abort', () => resolve(), { signal: over.signal })
    onLost?.(resolve)
  })
  over.abort()
}

async function sendForm(
  client: Client,
  url: URL,
  { headers, params, onSent, signal }: Form,
): Promise<unknown> {
  if (signal.aborted) throw cancelled()
  const startBytes = Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? 0)
  const fileBytes = params.file instanceof File ? params.file.size : 0
  const request = new XMLHttpRequest()
  request.open('POST', url)
  request.withCredentials = true
  request.timeout = FORM_TIMEOUT_MS
  for (const [name, value] of Object.entries({ ...client.headers, ...headers })) {
    // The browser sets the type of a form itself, with its boundary.
    if (name.toLowerCase() !== 'content-type') request.setRequestHeader(name, value)
  }
  request.setRequestHeader(
    'X-Fallback-Cookies',
    window.localStorage.getItem('cookieFallback') ?? '',
  )
  // The form is a little longer than the file in it.
  request.upload.onprogress = ({ loaded }) => onSent(startBytes + Math.min(loaded, fileBytes))
  onSent(startBytes)
  const abort = () => request.abort()
  signal.addEventListener('abort', abort)
  try {
    await new Promise<void>((resolve, reject) => {
      request.onload = () => resolve()
      request.onabort = () => reject(cancelled())
      for (const event of ['error', 'timeout'])
        request.addEventListener(event, () =>
          reject(new AppwriteException('The connection was lost.', 0, LOST)),
        )
      request.send(toForm(params))
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
  await noteAnswer({
    status: request.status,
    viewer: request.getResponseHeader(VIEWER_HEADER),
  })
  const answer = parseAnswer(request)
  if (request.status >= 400)
    throw new AppwriteException(
      answer.message ?? '',
      request.status,
      answer.type ?? '',
      request.responseText,
    )
  return answer
}

function cancelled(): AppwriteException {
  return new AppwriteException('The upload was cancelled.', 0, CANCELLED)
}

function parseAnswer(request: XMLHttpRequest): { message?: string; type?: string } {
  if (!request.getResponseHeader('content-type')?.includes('application/json'))
    return { message: request.responseText }
  return JSON.parse(request.responseText)
}

/** The same form as the client makes: lists under `name[]`. */
function toForm(params: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(params)) {
    const isList = Array.isArray(value)
    for (const one of isList ? value : [value])
      form.append(isList ? `${key}[]` : key, one instanceof File ? one : String(one))
  }
  return form
}
