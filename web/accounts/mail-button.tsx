// The button that asks for a mail: busy while it is asked for, then counting down to the next one.
import type { ComponentProps } from 'react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import type { MailRequest } from './use-mail-request.ts'

type MailButtonProps = ComponentProps<typeof Button> & {
  mail: Pick<MailRequest, 'isBusy' | 'secondsLeft'>
  label: string
}

export function MailButton({
  mail: { isBusy, secondsLeft },
  label,
  busyLabel = texts.mails.sendingLink,
  ...rest
}: MailButtonProps) {
  return (
    <Button {...rest} isBusy={isBusy} busyLabel={busyLabel} aria-disabled={secondsLeft > 0}>
      {secondsLeft > 0 ? texts.mailNews.againIn(secondsLeft) : label}
    </Button>
  )
}
