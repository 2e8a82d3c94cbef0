"""The app's addresses, one short list per page."""

from django.urls import URLPattern, path

from scoring.forms.bookings import BOOKINGS
from scoring.views.books import booking, history, ledger, paper, payments, sending, statistics, undo, what_if
from scoring.views.club import club, records, sessions, standings, tab
from scoring.views.club import people as club_people
from scoring.views.club import statistics as club_statistics
from scoring.views.club import what_if as club_what_if
from scoring.views.hand import correct, deal, dispute, enter, own_rows
from scoring.views.invitations import door, links
from scoring.views.kept import manifest, worker
from scoring.views.start import check, demo, home, language, new, verify
from scoring.views.start import rules as rulebook
from scoring.views.table import (
    chips,
    close,
    house_rules,
    more,
    name,
    next_hand,
    people,
    record,
    screen,
    stakes,
    table,
    version,
)

doors_in: list[URLPattern] = [
    path("l/<str:secret>", door.come_in, name="come-in"),
    path("s/<str:public_id>/kept/", door.recovery_saved, name="kept"),
    path("forget/", door.forget, name="forget"),
]

the_club: list[URLPattern] = [
    path("c/<str:public_id>/", sessions.sessions, name="club"),
    path("c/<str:public_id>/again/", sessions.again, name="again"),
    path("c/<str:public_id>/tab/pay/", tab.pay, name="pay-tab"),
    path("c/<str:public_id>/tab/<int:number>/undo/", tab.undo, name="undo-tab"),
    path("c/<str:public_id>/standings/", standings.standings, name="standings"),
    path("c/<str:public_id>/statistics/", club_statistics.statistics, name="club-statistics"),
    path("c/<str:public_id>/statistics.xlsx", club_statistics.workbook, name="club-workbook"),
    path("c/<str:public_id>/what-if/", club_what_if.what_if, name="club-what-if"),
    path("c/<str:public_id>/players/", club_people.roster, name="roster"),
    path("c/<str:public_id>/players/<int:number>/", club_people.player, name="player"),
    path("c/<str:public_id>/stakes/", club_people.usual_stake, name="usual-stake"),
    path("c/<str:public_id>/more/", club.more, name="club-more"),
    path("c/<str:public_id>/rules/forget/", club.forget_rules, name="club-forget-rules"),
    path("c/<str:public_id>/export.json", club.export, name="club-export"),
    path("c/<str:public_id>/delete/", club.delete, name="club-delete"),
]

invitations: list[URLPattern] = [
    path("c/<str:public_id>/links/", links.of_club, name="club-links"),
    path("c/<str:public_id>/links/<str:link_id>/revoke/", links.revoke, name="revoke-link"),
    path("c/<str:public_id>/links/<str:link_id>/replace/", links.replace, name="replace-link"),
    path("s/<str:public_id>/links/", links.of_session, name="session-links"),
]

start: list[URLPattern] = [
    path("", home.home, name="home"),
    path("new/", new.new, name="new"),
    path("demo/", demo.demo, name="demo"),
    path("language/", language.language, name="language"),
]

check_a_foul: list[URLPattern] = [
    path("check/", check.check, name="check"),
    path("check/named/", check.named, name="check-named"),
    path("check/picture.png", check.picture, name="check-picture"),
]

check_a_record: list[URLPattern] = [
    path("verify/", verify.verify, name="verify"),
    path("verify/verify.py", verify.script, name="verify-script"),
]

rules: list[URLPattern] = [
    path("rules/", rulebook.rules, name="rules"),
    path("rules/<slug:preset>/", rulebook.preset, name="rule-sheet"),
    path("s/<str:public_id>/rules/", rulebook.of_session, name="session-rules"),
    path("s/<str:public_id>/rules/edit/", house_rules.edit, name="edit-rules"),
    path("s/<str:public_id>/rules/forget/", house_rules.forget, name="forget-rules"),
]

at_the_table: list[URLPattern] = [
    path("s/<str:public_id>/", table.table, name="table"),
    path("s/<str:public_id>/next/", next_hand.following, name="next"),
    path("s/<str:public_id>/undo/", undo.undo, name="undo"),
    path("s/<str:public_id>/hand/", enter.enter, name="enter"),
    path("s/<str:public_id>/hand/drafts/", own_rows.state, name="drafts"),
    path("s/<str:public_id>/hand/in/", own_rows.who_is_in, name="who-is-in"),
    path("s/<str:public_id>/hand/<int:number>/", own_rows.draft, name="draft"),
    path("s/<str:public_id>/seat/", own_rows.pick, name="seats"),
    path("s/<str:public_id>/seat/<int:number>/", own_rows.own_rows, name="own-rows"),
]

between_deals: list[URLPattern] = [
    path("s/<str:public_id>/more/", more.more, name="more"),
    path("s/<str:public_id>/chips/", chips.chips, name="chips"),
    path("s/<str:public_id>/chips/forgotten/", chips.forgotten, name="forgotten"),
    path("s/<str:public_id>/people/", people.people, name="people"),
    path("s/<str:public_id>/stakes/", stakes.stakes, name="stakes"),
    *(path(f"s/<str:public_id>/{verb}/", booking.booking, {"verb": verb}, name=verb) for verb in BOOKINGS),
    path("s/<str:public_id>/history/", history.history, name="history"),
    path("s/<str:public_id>/name/", name.name, name="name"),
    path("s/<str:public_id>/pay/", payments.pay, name="pay"),
    path("s/<str:public_id>/pay/<int:number>/undo/", payments.undo, name="undo-payment"),
    path("s/<str:public_id>/close/", close.close, name="close"),
    path("s/<str:public_id>/tab/", close.tab, name="choose-tab"),
    path("s/<str:public_id>/reopen/", close.reopen, name="reopen"),
]

the_record: list[URLPattern] = [
    path("s/<str:public_id>/record/", record.record, name="record"),
    path("s/<str:public_id>/record/hands/", paper.paper, name="paper"),
    path("s/<str:public_id>/record.json", record.file, name="record-file"),
    path("s/<str:public_id>/record.svg", record.code, name="record-code"),
    path("s/<str:public_id>/agree/", record.agree, name="agree"),
]

settled_hands: list[URLPattern] = [
    path("s/<str:public_id>/ledger/", ledger.ledger, name="ledger"),
    path("s/<str:public_id>/statistics/", statistics.statistics, name="statistics"),
    path("s/<str:public_id>/what-if/", what_if.what_if, name="what-if"),
    path("s/<str:public_id>/what-if/<int:number>/", what_if.deal, name="what-if-hand"),
    path("s/<str:public_id>/ledger.xlsx", ledger.workbook, name="workbook"),
    path("s/<str:public_id>/hands/<int:number>/", deal.deal, name="deal"),
    path("s/<str:public_id>/hands/<int:number>/correct/", correct.correct, name="correct"),
    path("s/<str:public_id>/hands/<int:number>/correct/named/", correct.named, name="correct-named"),
    path("s/<str:public_id>/hands/<int:number>/void/", correct.void, name="void"),
    path("s/<str:public_id>/hands/<int:number>/restore/", correct.restore, name="restore"),
    path("s/<str:public_id>/hands/<int:number>/flag/", dispute.flag, name="flag"),
    path("s/<str:public_id>/hands/<int:number>/flags/<int:raised>/resolve/", dispute.resolve, name="resolve"),
]

to_send: list[URLPattern] = [
    path("s/<str:public_id>/send/", sending.session, name="send"),
    path("s/<str:public_id>/send/picture.png", sending.session_drawn, name="session-picture"),
    path("s/<str:public_id>/hands/<int:number>/send/", sending.deal, name="send-hand"),
    path("s/<str:public_id>/hands/<int:number>/send/picture.png", sending.deal_drawn, name="hand-picture"),
    path("c/<str:public_id>/records/<str:which>/send/", records.send, name="send-record"),
    path("c/<str:public_id>/records/<str:which>/send/picture.png", records.drawn, name="record-picture"),
]

kept_on_phones: list[URLPattern] = [
    path("sw.js", worker.script, name="worker"),
    path("offline/", worker.offline, name="offline"),
    path("language/<slug:tag>/manifest.webmanifest", manifest.manifest, name="manifest"),
    path("s/<str:public_id>/hand/blank/", enter.blank, name="blank"),
]

# The stream itself, s/<public_id>/live, is answered beside Django: ofcscore/streams.py.
following_live: list[URLPattern] = [
    path("s/<str:public_id>/version", version.version, name="version"),
    path("s/<str:public_id>/screen/", screen.screen, name="screen"),
]

urlpatterns: list[URLPattern] = [
    *doors_in,
    *the_club,
    *invitations,
    *start,
    *check_a_foul,
    *check_a_record,
    *rules,
    *at_the_table,
    *between_deals,
    *the_record,
    *settled_hands,
    *to_send,
    *kept_on_phones,
    *following_live,
]
