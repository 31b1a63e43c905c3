// What the dialog of an image says when the image was not stored.

import type { Failure } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { progressText } from '../ui/size-text.ts'
import type { ImageUpload } from './use-image-upload.ts'

const words = texts.imageDialog

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
