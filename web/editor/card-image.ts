// Copies the picture of a post for its card.
import type { CardPost } from './card-posts.ts'
import type { StoreImage } from './store-image.ts'

/** The post with the address of the copy; without a picture if it cannot be copied. */
export async function withStoredImage(post: CardPost, storeImage: StoreImage): Promise<CardPost> {
  const imageAddress = post.imageAddress && (await copyImage(post.imageAddress, storeImage))
  return { ...post, imageAddress }
}

async function copyImage(address: string, storeImage: StoreImage): Promise<string | undefined> {
  try {
    const response = await fetch(address)
    if (!response.ok) return undefined
    const blob = await response.blob()
    const stored = await storeImage(new File([blob], 'card.jpg', { type: blob.type }))
    return stored.ok ? stored.value.address : undefined
  } catch {
    return undefined
  }
}
