// The images of an unsaved text: stored on the device, and uploaded again when the server has
// removed them meanwhile (decision 0025).
import type { Api } from '../api/client.ts'
import { draftStore } from '../drafts/draft-store.ts'
import { findOwnFiles } from '../files/files-api.ts'
import { deleteLocalImages, reuploadImages } from '../files/local-image-store.ts'
import { uploadImage } from '../files/upload-image.ts'

const PENDING = /<img\b[^>]*\ssrc="(?:blob|data):/i

/**
 * Removes images that are not stored yet, and so have no address: the text is saved before them.
 *
 * @returns `isWhole`: whether there were no such images
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

type UserText = { userId: string; html: string }

/** @returns whether an image was missing on the server and was uploaded again */
export async function restoreTextImages(api: Api, { userId, html }: UserText): Promise<boolean> {
  const bucketId = api.settings.contentBucketId
  const calls = {
    findOwn: (fileIds: string[]) => findOwnFiles(api, bucketId, fileIds),
    reupload: async (id: string, file: File) => (await uploadImage(api, bucketId, { file, id })).ok,
  }
  return await reuploadImages({ userId, html, calls })
}

/** Deletes the images of a saved text from the device, unless another draft shows them. */
export async function forgetTextImages(userId: string): Promise<void> {
  const texts = (await draftStore.listAll(userId)).map(({ content }) => content)
  await deleteLocalImages({ userId, texts })
}
