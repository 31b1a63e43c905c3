// Settings: whether reads of the viewer's posts are counted (product.md §2.5).
import { useEffect, useState } from 'react'
import { countsReads, READS_PREF } from '#contract/reads.ts'
import { SettingsSection } from '../accounts/settings-section.tsx'
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import { useKeepChoices } from './use-device-choices.ts'

export function ReadNumbersSection() {
  const { prefs } = useViewer()
  const keep = useKeepChoices()
  const isKept = countsReads(prefs)
  const [isShown, setShown] = useState(isKept)
  useEffect(() => setShown(isKept), [isKept])
  const { title, text, choice, hint } = texts.readNumbers

  function handleChange(isOn: boolean) {
    setShown(isOn)
    void keep({ [READS_PREF]: isOn ? 'on' : 'off' })
  }
  return (
    <SettingsSection title={title} text={text}>
      <label className="option">
        <input
          className="check"
          type="checkbox"
          checked={isShown}
          onChange={({ target }) => handleChange(target.checked)}
        />
        <span>
          {choice}
          <small>{hint}</small>
        </span>
      </label>
    </SettingsSection>
  )
}
