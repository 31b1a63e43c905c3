// What operators read of the server itself: a day with its time, and a command to copy.
import { Copy } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { clockText, LocalDate } from '../accounts/dates.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { useCopying } from '../ui/copying.ts'
import { DialogHead } from '../ui/dialog-head.tsx'
import { sizeText } from '../ui/format-bytes.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { useModal } from '../ui/use-modal.ts'

const words = texts.adminServer
const GIB = 1024 ** 3

/** `heading`: "Today, 03:00"; `fact`: "today, 03:00"; `sentence`: "today at 03:00" */
type DayTimeForm = 'heading' | 'fact' | 'sentence'

export function DayTime({ time, form }: { time: string; form: DayTimeForm }) {
  const isHydrated = useIsHydrated()
  const day = isHydrated ? dayOf(time) : undefined
  if (!day) return <LocalDate time={time} hasTime />
  return <time dateTime={time}>{words.days[day][form](clockText(time))}</time>
}

/** For names of buttons. */
export function useDayTimeText(time: string): string {
  const isHydrated = useIsHydrated()
  const day = isHydrated ? dayOf(time) : undefined
  return day ? words.days[day].heading(clockText(time)) : time.slice(0, 16).replace('T', ', ')
}

/** The server knows no time zone. */
function dayOf(time: string): 'today' | 'yesterday' | undefined {
  const yesterday = new Date()
  yesterday.setDate(yesterday.getDate() - 1)
  const day = new Date(time).toDateString()
  if (day === new Date().toDateString()) return 'today'
  return day === yesterday.toDateString() ? 'yesterday' : undefined
}

export function sizeOf(bytes: number): string {
  return bytes < GIB ? sizeText(bytes) : words.gigabytes((bytes / GIB).toFixed(1))
}

export function CommandLine({ command }: { command: string }) {
  const copyText = useCopying()
  return (
    <div className="command">
      <code>{command}</code>
      <Button kind="ghost" Icon={Copy} onClick={() => void copyText(command, words.copied)}>
        {texts.adminRows.copy}
      </Button>
    </div>
  )
}

type InfoDialogProps = { title: string; children: ReactNode; onClose: () => void }

/** Says something; there is nothing to decide. */
export function InfoDialog({ title, children, onClose }: InfoDialogProps) {
  const id = useId()
  const box = useModal({ onClose })
  return (
    <dialog className="float dialog form-dialog" ref={box} aria-labelledby={id}>
      <div className="stack">
        <DialogHead id={id} title={title} className="form-dialog__head" onClose={onClose} />
        {children}
      </div>
    </dialog>
  )
}
