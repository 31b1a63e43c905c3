// One image on its way into the text: chosen, sent, stored, or why not.

import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { progressText } from '../ui/format-bytes.ts'
import { type ImageStep, type StoredImage, type StoreImage, TELL_CANCELLED } from './store-image.ts'

const words = texts.imageDialog

export type ImageUpload = {
  file?: File
  step?: ImageStep
  stored?: StoredImage
  failure?: Failure
  isCancelled?: boolean
}

/** An image that is still on its way when the dialog closes is cancelled. */
export function useImageUpload(storeImage: StoreImage) {
  const [upload, setUpload] = useState<ImageUpload>({})
  const current = useRef<AbortController | undefined>(undefined)

  const cancel = useCallback(() => {
    current.current?.abort()
    current.current = undefined
    setUpload({ isCancelled: true })
  }, [])
  useEffect(() => () => current.current?.abort(TELL_CANCELLED), [])

  const take = useCallback(
    async (file: File) => {
      current.current?.abort()
      const own = new AbortController()
      current.current = own
      const isCurrent = () => current.current === own
      setUpload({ file })
      const stored = await storeImage(file, {
        signal: own.signal,
        onStep: (step) => isCurrent() && setUpload({ file, step }),
      })
      if (!isCurrent()) return
      current.current = undefined
      if (stored.ok) setUpload({ file, stored: stored.value })
      else setUpload((before) => ({ ...before, file, failure: stored.failure }))
    },
    [storeImage],
  )
  return { upload, take, cancel }
}

/** The file itself cannot be used: another has to be chosen. */
export function isRefused(failure: Failure | undefined): boolean {
  return failure !== undefined && [400, 413, 415].includes(failure.code)
}

/** A sentence, or undefined while nothing is wrong. */
export function failureText({ step, failure }: ImageUpload): string | undefined {
  const isSent = step?.step === 'send' || step?.step === 'lost'
  if (isSent && (step.step === 'lost' || failure?.code === 0))
    return words.dropped(progressText(step.sentBytes, step.totalBytes))
  if (!failure) return undefined
  return isRefused(failure) ? failure.message : words.notStored(failure.message)
}
