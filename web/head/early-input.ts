// What a person does on a page before the app has taken it over: kept by a script in the head, done
// again once somebody listens. Without it a press in that moment is lost, and a form would be sent
// by the browser itself, password in the address.

/**
 * In the order they happened: a control that was pressed, a field that was typed in, a letter that
 * may be a shortcut.
 */
type Kept = { press: HTMLElement } | { field: HTMLElement } | { key: string }

/** `end` gives what was kept and stops keeping. */
type EarlyInput = { kept: Kept[]; end(): Kept[] }

declare global {
  interface Window {
    earlyInput?: EarlyInput
  }
}

/**
 * Runs in the head, as text like the theme's script beside it. A second press on a control before
 * another one is an impatient one and counts once. Links, fields and what opens by itself work by
 * themselves; of typing the app is only told.
 */
export const EARLY_INPUT_SCRIPT = `(function(){
var kept=[],pressed,names=['click','submit','input','keydown'];
function isBox(c){return c&&/^(checkbox|radio)$/.test(c.type)}
function find(t){
var c=t.closest&&t.closest('button,input,label,[role=button]');
return c&&(c.localName==='label'?isBox(c.control):c.localName!=='input'||isBox(c))&&c
}
function keep(e){
var t=e.target,last=kept[kept.length-1],c;
if(e.type==='input'){if(!last||last.field!==t)kept.push({field:t})}
else if(e.type==='keydown'){if(t===document.body&&e.key.length===1&&e.key!==' '&&!e.ctrlKey&&!e.metaKey&&!e.altKey)kept.push({key:e.key})}
else if(e.type==='submit')e.preventDefault();
else if(c=find(t)){e.preventDefault();e.stopPropagation();if(pressed!==c)kept.push({press:pressed=c})}
}
names.forEach(function(n){addEventListener(n,keep,true)});
window.earlyInput={kept:kept,end:function(){names.forEach(function(n){removeEventListener(n,keep,true)});return kept}}
})()`

/** Call it when the app listens. */
export function replayEarlyInput(): void {
  for (const one of window.earlyInput?.end() ?? []) {
    if ('press' in one) one.press.click()
    else if ('field' in one) one.field.dispatchEvent(new Event('input', { bubbles: true }))
    else
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: one.key, bubbles: true, cancelable: true }),
      )
  }
}
