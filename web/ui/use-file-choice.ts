// Choosing a file: dropped onto a place, or in the browser's own dialog.
import { type ChangeEvent, type DragEvent, useState } from 'react'

type Take = (file: File | undefined) => void

/** Handlers of a place onto which a file can be dropped; `isOver` while one is held above it. */
export function useFileDrop(onTake: Take, isOff = false) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    dropHandlers: {
      onDragOver(event: DragEvent) {
        event.preventDefault()
        if (!isOff) setOver(event.dataTransfer.types.includes('Files'))
      },
      onDragLeave({ relatedTarget, currentTarget }: DragEvent) {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside) setOver(false)
      },
      onDrop(event: DragEvent) {
        event.preventDefault()
        setOver(false)
        onTake(event.dataTransfer.files[0])
      },
    },
  }
}

/** The `onChange` of a field of files. */
export function takeFile(onTake: Take) {
  return ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? []
    currentTarget.value = '' // the same file can be chosen again
    onTake(file)
  }
}
