// What was merged into the text of the form, and the choice where both sides changed a paragraph.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { LocalTime } from '../dates/dates.tsx'
import type { ConflictChoice, MergeConflict } from '../editor/merge-into-editor.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import type { MergedField, MergedVersion } from './post-form-reducer.ts'

const { merge } = texts

export function MergeNotice({ merged }: { merged: MergedVersion }) {
  const { text, taken, kept, isFromAutosave, savedAt } = merged
  const { conflicts, isUndone } = useSyncExternalStore(text.subscribe, text.get)
  const [conflict] = conflicts
  const [isClosed, setClosed] = useState(false)
  useEffect(() => {
    if (conflict && !isFromAutosave) text.show(conflict.id)
  }, [conflict, isFromAutosave, text])
  function handleClose() {
    text.removeMarks()
    setClosed(true)
  }
  const namesOf = (fields: MergedField[]) => fields.map((name) => merge.fields[name]).join(', ')
  if (isClosed && !conflict) return null
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
      {conflict && <p>{textOf(conflict, conflicts.length)}</p>}
      <div className="row row--tight">
        {conflict && (
          <>
            {choicesOf(conflict).map(([choice, label]) => (
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

function textOf({ hasMine, hasTheirs }: MergeConflict, count: number): string {
  if (!hasMine) return merge.deletedHere
  return hasTheirs ? merge.conflict(count) : merge.deletedThere
}

/** The choices with the words of their buttons. */
function choicesOf({ hasMine, hasTheirs }: MergeConflict): [ConflictChoice, string][] {
  if (hasMine && hasTheirs)
    return [
      ['mine', merge.keepMine],
      ['theirs', merge.keepTheirs],
      ['both', merge.keepBoth],
    ]
  return [
    [hasMine ? 'mine' : 'theirs', merge.keep],
    [hasMine ? 'theirs' : 'mine', merge.delete],
  ]
}
