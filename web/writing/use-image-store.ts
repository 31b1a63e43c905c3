// Uploads the images of a text one after another, and stores each on the device as long as the text
// is unsaved.
import { useCallback, useRef } from 'react'
import { type Api, fail, type Result, succeed, useApi } from '../api/client.ts'
import {
  ANNOUNCE_CANCELLED,
  type StoredImage,
  type StoreImage,
  type StoreOptions,
} from '../editor/store-image.ts'
import { measureImage, withHints } from '../files/body-image.ts'
import { viewPath } from '../files/files-api.ts'
import { saveLocalImage } from '../files/local-image-store.ts'
import { prepareImage } from '../files/prepare-image.ts'
import { uploadImage } from '../files/upload-image.ts'
import { CANCELLED } from '../files/upload-request.ts'
import { texts } from '../locales/texts.ts'
import { useToasts } from '../ui/toasts.tsx'
import { CONTENT_IMAGE_LIMIT } from './post-values.ts'
import { imageFailureText } from './save-failure.ts'

export function useImageStore(userId: string): StoreImage {
  const api = useApi()
  const { show } = useToasts()
  /** Resolves when all images of the queue are stored. */
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  return useCallback(
    async (file, options = {}) => {
      const previous = queue.current
      options.signal?.addEventListener('abort', () => {
        if (options.signal?.reason === ANNOUNCE_CANCELLED)
          show({ kind: 'ok', text: texts.uploads.cancelled })
      })
      const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
      queue.current = previous.then(() => finished)
      try {
        options.onStep?.({ step: 'prepare' })
        const prepared = await prepareImage(file, CONTENT_IMAGE_LIMIT)
        if (!prepared.ok) return failWith(prepared.problem)
        const { change } = prepared
        options.onStep?.({ step: 'wait', change })
        await Promise.race([previous, whenAborted(options.signal)])
        return await store(api, { ...options, userId, file: prepared.file, change })
      } finally {
        finish()
      }
    },
    [api, show, userId],
  )
}

type ImageToStore = StoreOptions & { userId: string } & Pick<StoredImage, 'change'> & { file: File }

async function store(
  api: Api,
  { userId, file, change, onStep, signal }: ImageToStore,
): Promise<Result<StoredImage>> {
  if (signal?.aborted) return failWith('', CANCELLED)
  const bucketId = api.settings.contentBucketId
  const sent = { sentBytes: 0, totalBytes: file.size }
  const stored = await uploadImage(api, bucketId, {
    file,
    signal,
    onProgress: ({ sentBytes }) => {
      sent.sentBytes = sentBytes
      onStep?.({ step: 'send', change, ...sent })
    },
    onLost: (retry) => onStep?.({ step: 'lost', change, ...sent, retry }),
  })
  if (!stored.ok) return fail({ ...stored.failure, message: imageFailureText(stored.failure) })
  const { $id: fileId, name } = stored.value
  await saveLocalImage({ userId, fileId, file })
  const address = withHints(viewPath(api, bucketId, fileId), await measureImage(file))
  return succeed({ address, name, bytes: file.size, change })
}

function failWith(message: string, type = ''): Result<never> {
  return fail({ message, code: 400, type })
}

function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
