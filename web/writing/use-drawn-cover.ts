// "Make one from the title": draws the featured image of the form, and says where a title is
// missing.
import { useState } from 'react'
import { texts } from '../locales/texts.ts'
import { COVER_SIZE, drawCover, drawnBackground } from './draw-cover.ts'

type Fields = { title: string; slug: string; image: File | undefined }

/**
 * @returns `drawing` for the image field, and what the title field says when it was empty then
 */
export function useDrawnCover(
  { title, slug, image }: Fields,
  onChange: (file: File | undefined) => void,
) {
  const [wantsTitle, setWantsTitle] = useState(false)
  async function draw() {
    const isMissing = title.trim() === ''
    setWantsTitle(isMissing)
    if (isMissing) return document.getElementById('title')?.focus()
    const file = await drawCover({ title, slug }, image)
    if (file) onChange(file)
  }
  return {
    drawing: {
      isShown: drawnBackground(image) !== undefined,
      size: texts.imageField.size(COVER_SIZE),
      draw: () => void draw(),
    },
    titleProblem: wantsTitle && title.trim() === '' ? texts.problems.title : undefined,
  }
}
