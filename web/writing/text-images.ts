// The images of the text in a form: kept on the device while it is unsaved, and uploaded again when
// the server has removed them meanwhile (decision 0025).
import type { Api } from '../api/client.ts'
import { drafts } from '../drafts/drafts.ts'
import { findOwnFiles } from '../files/files-api.ts'
import { deleteLocalImages, reuploadImages } from '../files/local-image-store.ts'
import { uploadImage } from '../files/upload-image.ts'

const PENDING = /<img\b[^>]*\ssrc="(?:blob|data):/i

/**
 * A text without the images that are not stored yet, for which there is no address: it can be saved
 * before they are.
 *
 * @returns `isWhole`: there was none
 */
export function withoutPendingImages(html: string): { html: string; isWhole: boolean } {
  if (!PENDING.test(html)) return { html, isWhole: true }
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const image of body.querySelectorAll('img')) {
    if (!/^(?:blob|data):/i.test(image.getAttribute('src') ?? '')) continue
    const figure = image.closest('figure')
    if (figure && figure.querySelectorAll('img').length === 1) figure.remove()
    else image.remove()
  }
  return { html: body.innerHTML, isWhole: false }
}

type TextOfPerson = { userId: string; html: string }

/** @returns whether any was missing and is there again */
export async function restoreTextImages(
  api: Api,
  { userId, html }: TextOfPerson,
): Promise<boolean> {
  const bucketId = api.settings.contentBucketId
  const calls = {
    findOwn: (fileIds: string[]) => findOwnFiles(api, bucketId, fileIds),
    reupload: async (id: string, file: File) => (await uploadImage(api, bucketId, { file, id })).ok,
  }
  return await reuploadImages({ userId, html, calls })
}

/** The text is saved or discarded: what no other draft of the person shows need not be kept. */
export async function forgetTextImages(userId: string): Promise<void> {
  const texts = (await drafts.findAllOf(userId)).map(({ content }) => content)
  await deleteLocalImages({ userId, texts })
}
