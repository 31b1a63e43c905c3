// Buttons of several steps: one leaves the import for a new one, the other undoes it.
import type { ComponentProps } from 'react'
import { Button } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import type { Imports } from './use-imports.ts'

type NewImportButtonProps = ComponentProps<typeof Button> & { imports: Imports }

export function NewImportButton({ imports, kind = 'ghost', ...rest }: NewImportButtonProps) {
  return (
    <Button
      {...rest}
      kind={kind}
      isBusy={imports.pending === 'another'}
      onClick={() => void imports.showNew()}
    />
  )
}

type UndoButtonProps = {
  imports: Imports
  label: string
  question: { title: string; text: string; confirm: string; keep: string }
}

export function UndoButton({ imports, label, question }: UndoButtonProps) {
  const { ask, dialog } = useConfirm()
  return (
    <>
      <Button
        kind="ghost"
        className="is-danger"
        isBusy={imports.pending === 'undo'}
        onClick={() =>
          ask({
            title: question.title,
            text: question.text,
            confirmLabel: question.confirm,
            cancelLabel: question.keep,
            onConfirm: imports.undo,
          })
        }
      >
        {label}
      </Button>
      {dialog}
    </>
  )
}
