// Shared by the forms of Blog settings and Backups.
import { Lock } from 'lucide-react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'

const words = texts.adminSettings

type SaveRowProps = { kind?: 'primary' | 'secondary'; label?: string; isBusy: boolean }

/** The last row of a form whose values are saved together. */
export function SaveRow({ kind = 'primary', label = words.save, isBusy }: SaveRowProps) {
  return (
    <div className="row">
      <Button kind={kind} type="submit" isBusy={isBusy} busyLabel={words.saving}>
        {label}
      </Button>
    </div>
  )
}

/** The hint below a field whose value is fixed by the settings of the server. */
export function FixedHint() {
  return (
    <span className="locked">
      <Lock className="icon icon--small" aria-hidden="true" />
      {words.fixed}
    </span>
  )
}
