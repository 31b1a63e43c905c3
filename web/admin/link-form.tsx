// The dialog for a link in the header or the footer.
import { useState } from 'react'
import {
  type BlogLink,
  HEADER_LINKS_MAX,
  LINK_ADDRESS_MAX_CHARS,
  LINK_NAME_MAX_CHARS,
} from '#contract/blog-links.ts'
import { graphemesOf } from '#contract/graphemes.ts'
import { cleanLine, isVisible } from '#contract/visible-text.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import { Switch } from '../ui/switch.tsx'

const words = texts.adminPages.link

/** The parts of a link that operators type. */
export type EditedLink = Pick<BlogLink, 'name' | 'to' | 'inHeader' | 'inFooter'>

export function isHeaderFull(list: BlogLink[]): boolean {
  return list.filter(({ inHeader }) => inHeader).length >= HEADER_LINKS_MAX
}

type LinkFormProps = {
  /** Undefined for a new link. */
  link: BlogLink | undefined
  list: BlogLink[]
  /** @returns why it was not saved */
  onSave: (link: EditedLink) => Promise<string | undefined>
  onClose: () => void
}

export function LinkForm({ link, list, onSave, onClose }: LinkFormProps) {
  const others = list.filter((other) => other !== link)
  const isFull = isHeaderFull(others)
  const [typed, setTyped] = useState<EditedLink>(
    link ?? { name: '', to: '', inHeader: !isFull, inFooter: false },
  )
  const [isChecked, setChecked] = useState(false)
  const [failureText, setFailureText] = useState<string>()
  const { inHeader, inFooter } = typed
  const name = cleanLine(typed.name)
  const to = readAddress(typed.to)
  const letters = graphemesOf(name).length
  const isNameWrong = !isVisible(name) || letters > LINK_NAME_MAX_CHARS
  const addressError =
    to === undefined
      ? words.addressWrong
      : others.some((other) => other.to === to)
        ? words.twice
        : undefined
  const change = (changes: Partial<EditedLink>) => setTyped({ ...typed, ...changes })

  async function handleSubmit() {
    setChecked(true)
    if (isNameWrong || addressError !== undefined || to === undefined) return
    const reason = await onSave({ name, to, inHeader, inFooter })
    if (reason === undefined) onClose()
    else setFailureText(reason)
  }
  function handleHeader(isOn: boolean) {
    if (isOn && isFull) setFailureText(texts.adminPages.headerFull)
    else change({ inHeader: isOn })
  }
  return (
    <FormDialog
      title={link ? words.edit : words.add}
      submitLabel={link ? words.submit : words.submitNew}
      onSubmit={() => void handleSubmit()}
      onClose={onClose}
    >
      {failureText && <Alert kind="error">{failureText}</Alert>}
      <TextField
        label={words.name}
        hint={words.nameCount(letters, LINK_NAME_MAX_CHARS)}
        error={isChecked && isNameWrong && words.nameMissing}
        value={typed.name}
        onChange={(newName) => change({ name: newName })}
      />
      <TextField
        className="mono"
        label={words.address}
        type="text"
        inputMode="url"
        dir="ltr"
        maxLength={LINK_ADDRESS_MAX_CHARS}
        hint={words.addressHint}
        error={isChecked && addressError}
        value={typed.to}
        onChange={(newAddress) => change({ to: newAddress })}
      />
      <div className="blog-links__places">
        <Switch label={texts.adminPages.inHeader} isOn={inHeader} onChange={handleHeader} />
        <Switch
          label={texts.adminPages.inFooter}
          isOn={inFooter}
          onChange={(isOn) => change({ inFooter: isOn })}
        />
      </div>
    </FormDialog>
  )
}

/** The address as the server stores it; undefined for one that it would refuse. */
function readAddress(typed: string): string | undefined {
  const text = typed.trim()
  const url = /^(?:https?:\/\/|\/(?!\/))/i.test(text) ? URL.parse(text, location.href) : null
  if (url === null || url.username + url.password !== '') return undefined
  const isOwn = url.origin === location.origin
  return isOwn ? url.pathname + url.search + url.hash : url.href
}
