// What a person does on a page before the app has taken it over: kept by a script in the head, done again once somebody listens.
// Without it a press in that moment is lost, and a form would be sent by the browser itself, password in the address.

/** In the order they happened: a control that was pressed, a field that was typed in, a letter that may be a shortcut. */
type Kept = { press: HTMLElement } | { field: HTMLElement } | { key: string }

/** `end` gives what was kept and stops keeping. */
type EarlyInput = { kept: Kept[]; end(): Kept[] }

declare global {
  interface Window {
    earlyInput?: EarlyInput
  }
}

/**
 * Runs in the head, as text like the theme's script beside it. A press on the control that was pressed last is an impatient one and
 * counts once. Links work by themselves; so does typing, of which the app is only told.
 */
export const EARLY_INPUT_SCRIPT = `(function(){
var kept=[],names=['click','submit','input','keydown'];
function last(){return kept[kept.length-1]||{}}
function keep(e){
var t=e.target,c;
if(e.type==='input'){if(last().field!==t)kept.push({field:t})}
else if(e.type==='keydown'){if(t===document.body&&e.key.length===1&&e.key!==' '&&!e.ctrlKey&&!e.metaKey&&!e.altKey)kept.push({key:e.key})}
else if(e.type==='submit')e.preventDefault();
else if(c=t.closest&&t.closest('button,label,summary,input[type=checkbox],input[type=radio],[role=button]')){e.preventDefault();e.stopPropagation();if(last().press!==c)kept.push({press:c})}
}
names.forEach(function(n){addEventListener(n,keep,true)});
window.earlyInput={kept:kept,end:function(){names.forEach(function(n){removeEventListener(n,keep,true)});return kept.splice(0)}}
})()`

/** Call it when the app listens. */
export function replayEarlyInput(): void {
  for (const one of window.earlyInput?.end() ?? []) {
    if ('press' in one) one.press.click()
    else if ('field' in one) one.field.dispatchEvent(new Event('input', { bubbles: true }))
    else document.body.dispatchEvent(new KeyboardEvent('keydown', { key: one.key, bubbles: true, cancelable: true }))
  }
}
