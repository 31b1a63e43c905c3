// What was merged into the text of the form, and the choice where both sides changed a paragraph.
import { useEffect, useSyncExternalStore } from 'react'
import { LocalTime } from '../dates/dates.tsx'
import type { ConflictChoice } from '../editor/merge-into-editor.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import type { MergedField, MergedVersion } from './post-form-reducer.ts'

type MergeNoticeProps = { merged: MergedVersion; onClose: () => void }

const { merge } = texts

export function MergeNotice({ merged, onClose }: MergeNoticeProps) {
  const { text, taken, kept, isFromAutosave, savedAt } = merged
  const { conflicts, isUndone } = useSyncExternalStore(text.subscribe, text.get)
  const [conflict] = conflicts
  useEffect(() => {
    if (conflict && !isFromAutosave) text.show(conflict.id)
  }, [conflict, isFromAutosave, text])
  function handleClose() {
    text.removeMarks()
    onClose()
  }
  const namesOf = (fields: MergedField[]) => fields.map((name) => merge.fields[name]).join(', ')
  const buttons: [ConflictChoice, string][] = !conflict
    ? []
    : !conflict.hasMine
      ? [
          ['theirs', merge.keep],
          ['mine', merge.delete],
        ]
      : !conflict.hasTheirs
        ? [
            ['mine', merge.keep],
            ['theirs', merge.delete],
          ]
        : [
            ['mine', merge.keepMine],
            ['theirs', merge.keepTheirs],
            ['both', merge.keepBoth],
          ]
  return (
    <Alert kind="warn" takesFocus={!isFromAutosave}>
      <p>
        {isUndone ? (
          merge.undone
        ) : (
          <>
            {merge.merged(<LocalTime time={savedAt} />)} {merge.undo}
            {taken.length > 0 && ` ${merge.taken(namesOf(taken))}`}
            {kept.length > 0 && ` ${merge.kept(namesOf(kept))}`}
            {!isFromAutosave && !conflict && ` ${merge.updateAgain}`}
          </>
        )}
      </p>
      {conflict && (
        <p>
          {!conflict.hasMine
            ? merge.deletedHere
            : conflict.hasTheirs
              ? merge.conflict(conflicts.length)
              : merge.deletedThere}
        </p>
      )}
      <div className="row row--tight">
        {conflict && (
          <>
            {buttons.map(([choice, label]) => (
              <Button key={choice} onClick={() => text.choose(conflict.id, choice)}>
                {label}
              </Button>
            ))}
            <Button kind="ghost" onClick={() => text.show(conflict.id)}>
              {merge.show}
            </Button>
          </>
        )}
        {!conflict && (
          <Button kind="ghost" onClick={handleClose}>
            {merge.close}
          </Button>
        )}
      </div>
    </Alert>
  )
}
