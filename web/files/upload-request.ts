// One request that sends bytes and reports its progress. Uses XMLHttpRequest, because fetch reports
// no progress.
import { AppwriteException, type Client } from 'appwrite'
import { VIEWER_HEADER } from '#contract/ids.ts'
import { fallbackCookies } from '../api/blog-client.ts'
import type { Failure } from '../api/client.ts'
import { recordResponse } from '../api/response-metadata.ts'

export const CANCELLED = 'upload_cancelled'
const LOST = 'connection_lost'
const REQUEST_TIMEOUT_MS = 5 * 60_000

type UploadRequest = {
  method: 'POST' | 'PUT'
  headers: Record<string, string>
  body: FormData | Blob
  /** Called with the number of sent bytes, from 0 on. */
  onSent: (sentBytes: number) => void
  signal: AbortSignal
}

/** @throws AppwriteException as the client does; of the type `upload_cancelled` when cancelled */
export async function sendBody(
  client: Client,
  url: URL,
  { method, headers, body, onSent, signal }: UploadRequest,
): Promise<unknown> {
  if (signal.aborted) throw cancelled()
  const request = new XMLHttpRequest()
  request.open(method, url)
  request.withCredentials = true
  request.timeout = REQUEST_TIMEOUT_MS
  const allHeaders = { ...client.headers, ...headers, ...fallbackCookies() }
  for (const [name, value] of Object.entries(allHeaders)) {
    // The browser sets the type of a form itself, with its boundary.
    if (!(body instanceof FormData && name.toLowerCase() === 'content-type'))
      request.setRequestHeader(name, value)
  }
  request.upload.onprogress = ({ loaded }) => onSent(loaded)
  onSent(0)
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
      request.send(body)
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
  await recordResponse({
    status: request.status,
    viewer: request.getResponseHeader(VIEWER_HEADER),
  })
  const answer = parseBody(request)
  if (request.status >= 400)
    throw new AppwriteException(
      answer.message ?? '',
      request.status,
      answer.type ?? '',
      request.responseText,
    )
  return answer
}

/** Whether the connection was lost, or the server is busy for the moment. */
export function isTemporary({ type, code }: Failure): boolean {
  return type === LOST || code === 503
}

function cancelled(): AppwriteException {
  return new AppwriteException('The upload was cancelled.', 0, CANCELLED)
}

function parseBody(request: XMLHttpRequest): { message?: string; type?: string } {
  if (!request.getResponseHeader('content-type')?.includes('application/json'))
    return { message: request.responseText }
  return JSON.parse(request.responseText)
}
