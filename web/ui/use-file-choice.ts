// Choosing a file: by dropping it, or in the browser's dialog.
import { type ChangeEvent, type DragEvent, useState } from 'react'

type ChooseFile = (file: File | undefined) => void

/** Handlers of an element onto which a file can be dropped. `isOver`: a file is held over it. */
export function useFileDrop(onChoose: ChooseFile, isDisabled = false) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    dropHandlers: {
      onDragOver(event: DragEvent) {
        event.preventDefault()
        if (!isDisabled) setOver(event.dataTransfer.types.includes('Files'))
      },
      onDragLeave({ relatedTarget, currentTarget }: DragEvent) {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside) setOver(false)
      },
      onDrop(event: DragEvent) {
        event.preventDefault()
        setOver(false)
        onChoose(event.dataTransfer.files[0])
      },
    },
  }
}

/** The `onChange` of a file input. */
export function fileChangeHandler(onChoose: ChooseFile) {
  return ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? []
    currentTarget.value = '' // the same file can be chosen again
    onChoose(file)
  }
}
