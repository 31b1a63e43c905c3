// The sentences for a post, or an image of its text, that could not be saved.

import type { Failure } from '../api/client.ts'
import { refusalText } from '../api/error-text.ts'
import { texts } from '../locales/texts.ts'

/** Refusals that the writer can do something about, by type; all others share one sentence. */
const REASONS: Record<string, string> = {
  storage_file_type_unsupported: texts.images.wrongType,
  storage_invalid_file: texts.images.unreadable,
  storage_invalid_file_size: texts.savingFailures.tooLarge,
  general_rate_limit_exceeded: texts.failures.tooManyTries,
  upload_cancelled: texts.uploads.cancelled,
  user_is_reader: texts.readersOnly.text,
  page_address_taken: texts.savingFailures.pageAddressTaken,
  page_address_reserved: texts.savingFailures.pageAddressReserved,
  page_count_exceeded: texts.savingFailures.pageCount,
  document_not_found: texts.savingFailures.deleted,
  document_invalid_structure: texts.savingFailures.refused,
}

/** The type of a failure whose message is shown as it is. */
export const TEXT_IMAGE_FAILED = 'text_image_failed'

function reasonOf({ code, type, message }: Failure): string {
  if (type === TEXT_IMAGE_FAILED) return message
  return code === 401 ? texts.failures.signedOut : (REASONS[type] ?? '')
}

export function saveFailureText(failure: Failure): string {
  const reason = reasonOf(failure)
  return reason ? texts.savingFailures.because(reason) : texts.savingFailures.stillHere
}

/** For a save that failed after the form was left. */
export function failureTextAfterLeaving(failure: Failure): string {
  return texts.savingFailures.afterLeaving(reasonOf(failure))
}

/** Why an image of the text could not be stored; the editor already says that it failed. */
export function imageFailureText(failure: Failure): string {
  return failure.code === 0
    ? texts.failures.checkConnection
    : reasonOf(failure) || refusalText(failure)
}
