/**
 * Shows the error of an empty or invalid field beside it, disables the buttons of a submitted form,
 * writes a card number in groups of four, fills in a test card, and reloads a page that the browser
 * restores from its memory. The page also works without scripts, because the browser and the server
 * check the fields too, and the server checks for repeated payments.
 */
export const script = `
const mark=(x,bad)=>{const id=x.id+'-error';let p=document.getElementById(id);if(!bad){x.removeAttribute('aria-invalid');x.removeAttribute('aria-describedby');p?.remove();return}
if(!p){p=document.createElement('p');p.id=id;p.className='error';x.closest('.field').append(p)}p.textContent=x.dataset.error;x.setAttribute('aria-invalid','true');x.setAttribute('aria-describedby',id)};
for(const f of document.forms)f.noValidate=true;
addEventListener('submit',e=>{const bad=[...e.target.elements].filter(x=>x.dataset.error&&!x.validity.valid);for(const x of bad)mark(x,true);if(bad[0]){e.preventDefault();bad[0].focus();return}
const b=e.submitter;setTimeout(()=>{for(const x of e.target.querySelectorAll('button'))x.disabled=true;if(b&&b.dataset.busy)b.textContent=b.dataset.busy})});
addEventListener('input',({target:x})=>{if(x.getAttribute('aria-invalid')&&x.validity.valid)mark(x,false)});
addEventListener('pageshow',e=>{if(e.persisted)location.reload()});
const card=document.getElementById('card_number');
if(card)card.addEventListener('input',()=>{const {value,selectionStart}=card;const digits=t=>t.replace(/\\D/g,'').slice(0,19);const next=digits(value).replace(/.{4}(?=.)/g,'$& ');if(next===value)return;let left=digits(value.slice(0,selectionStart)).length,at=0;while(left>0)if(next[at++]!==' ')left--;card.value=next;card.setSelectionRange(at,at)});
for(const b of document.querySelectorAll('[data-card]')){b.hidden=false;b.addEventListener('click',()=>{card.value=b.dataset.card;mark(card,false);card.focus()})}
for(const b of document.querySelectorAll('[data-back]')){b.hidden=false;b.addEventListener('click',()=>history.back())}
`;
