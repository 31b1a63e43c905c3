// A post's picture in a box of fixed shape, or, when there is none or it does not load, a cover set
// from its title.

import { useEffect, useRef, useState } from 'react'
import type { ImageSources } from '../files/files-api.ts'

const GROUNDS = 4

/**
 * The letter on a cover, whether it sits freely (not Latin), and which of the four grounds the slug
 * falls on.
 */
export function coverOf({ title, slug }: { title: string; slug: string }): {
  letter: string
  isFree: boolean
  ground: number
} {
  const letter = /[\p{L}\p{N}]/u.exec(title)?.[0] ?? '·'
  let sum = 0
  for (const character of slug) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return {
    letter: letter.toLocaleUpperCase('en'),
    isFree: !/[\p{Script=Latin}\p{N}]/u.test(letter),
    ground: (sum % GROUNDS) + 1,
  }
}

export function PostCover({ title, slug }: { title: string; slug: string }) {
  const { letter, isFree, ground } = coverOf({ title, slug })
  return (
    <div className={`cover cover--${ground}${isFree ? ' cover--free' : ''}`} aria-hidden="true">
      <b>{letter}</b>
    </div>
  )
}

type PostPictureProps = {
  image: ImageSources | undefined
  /** For screens of at least 64em, where the shape differs. */
  wideImage?: ImageSources
  title: string
  slug: string
  /** The first picture of a screen: fetched at once. */
  isEager?: boolean
  onBroken?: () => void
}

/**
 * The box around it belongs to the caller. The picture repeats what the title says, so it has no
 * text of its own.
 */
export function PostPicture({
  image,
  wideImage,
  title,
  slug,
  isEager = false,
  onBroken,
}: PostPictureProps) {
  const [isBroken, setBroken] = useState(false)
  const picture = useRef<HTMLImageElement>(null)

  function handleBroken() {
    setBroken(true)
    onBroken?.()
  }
  // It may have failed before the page came alive.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, on what the server had written
  useEffect(() => {
    const img = picture.current
    if (img?.complete && img.naturalWidth === 0 && img.currentSrc) handleBroken()
  }, [])

  if (!image || isBroken) return <PostCover title={title} slug={slug} />
  return (
    <picture>
      {wideImage && (
        <source
          media="(min-width: 64em)"
          srcSet={wideImage.srcSet}
          sizes={wideImage.sizes}
          width={wideImage.width}
          height={wideImage.height}
        />
      )}
      <img
        ref={picture}
        src={image.src}
        srcSet={image.srcSet}
        sizes={image.sizes}
        width={image.width}
        height={image.height}
        alt=""
        loading={isEager ? 'eager' : 'lazy'}
        fetchPriority={isEager ? 'high' : 'auto'}
        decoding="async"
        onError={handleBroken}
      />
    </picture>
  )
}
